// Addresses of problems: #/solve/algebra/2x+3=7, and #/solution/... for how it is solved. The domain may be left out, so that anybody
// can write such a link by hand.

import type {Exercise} from '../engine/wire';
import {link} from '../router';
import {isKnownDomain} from './domains';

export type ProblemView = 'solve' | 'solution';

export interface Asked {
  domain?: string;
  problem: string;
}

export function addressOf(view: ProblemView, {domain, problem}: Pick<Exercise, 'domain' | 'problem'>): string {
  return link(view, encodeURI(`${domain}/${problem}`).replaceAll('#', '%23'));
}

/** What the rest of a route asks for; nothing if that is empty. */
export function readAddress(rest: string): Asked | null {
  const text = rest.replace(/(%[0-9a-f]{2})+/gi, decoded); // and what else has a percent sign was written by hand: 25% of 80
  const slash = text.indexOf('/');
  const domain = text.slice(0, Math.max(slash, 0));
  const asked: Asked = isKnownDomain(domain) ? {domain, problem: text.slice(slash + 1)} : {problem: text};
  return asked.problem.trim() === '' ? null : asked;
}

function decoded(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}
