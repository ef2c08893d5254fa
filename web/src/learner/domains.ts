// What the page knows of the engine's domains: their names for people, and how lines are best typed there.

import {domainNames} from '../i18n/domains';
import type {EntryMode} from '../parts/entry';
import {useText} from '../state/settings';

const typedAsText = new Set(['sorting', 'rubiks-cube', 'ternary-addition']);

/** The name of a domain without its parameters. */
export function plainDomain(domain: string): string {
  return domain.split(':', 1)[0] ?? domain;
}

export function entryModeOf(domain: string, preferred: EntryMode): EntryMode {
  return typedAsText.has(plainDomain(domain)) ? 'text' : preferred;
}

/** Whether the steps of a domain are few enough to be offered as buttons. */
export function hasStepsToChoose(domain: string): boolean {
  return typedAsText.has(plainDomain(domain));
}

export function useDomainName(): (domain: string) => string {
  const t = useText(domainNames);
  return (domain) => {
    const name = plainDomain(domain);
    return isKnownDomain(name) ? t(name) : domain;
  };
}

export function isKnownDomain(name: string): name is keyof typeof domainNames.en {
  return Object.hasOwn(domainNames.en, name);
}
