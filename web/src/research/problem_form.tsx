// The problem that a researcher looks at, and in which domain.

import {useEffect, useState} from 'preact/hooks';
import {useTutor} from '../engine/context';
import type {DomainInfo} from '../engine/wire';
import {research} from '../i18n/research';
import {useText} from '../state/settings';

export interface Asked {
  problem: string;
  /** A domain's name; empty to guess it. */
  domain: string;
  /** How often something was asked: the same problem can be asked for again. */
  count: number;
}

export function useDomains(): readonly DomainInfo[] {
  const tutor = useTutor();
  const [domains, setDomains] = useState<readonly DomainInfo[]>([]);
  useEffect(() => {
    let isCurrent = true;
    tutor.domains().then(
      (answer) => isCurrent && setDomains(answer.domains),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [tutor]);
  return domains;
}

export function ProblemForm({asked, onAsk}: {asked: Asked; onAsk: (asked: Asked) => void}) {
  const t = useText(research);
  const domains = useDomains();
  const [problem, setProblem] = useState(asked.problem);
  const [domain, setDomain] = useState(asked.domain);
  const names = domains.map(({name}) => name);
  const ask = (event: Event): void => {
    event.preventDefault();
    if (problem.trim() !== '') onAsk({problem: problem.trim(), domain, count: asked.count + 1});
  };
  const choose = (name: string): void => {
    setDomain(name);
    // An equation is no cube: another domain starts with its own example.
    const example = domains.find((one) => one.name === name)?.example;
    const isExample = problem === asked.problem || domains.some((one) => one.example === problem);
    if (example !== undefined && isExample) setProblem(example);
  };
  return (
    <form class="card problem-form" onSubmit={ask}>
      <label class="labelled grow">
        <span>{t('problem')}</span>
        <input
          type="text"
          value={problem}
          maxLength={4000}
          spellcheck={false}
          autocapitalize="off"
          onInput={(event) => setProblem(event.currentTarget.value)}
        />
      </label>
      <label class="labelled">
        <span>{t('domain')}</span>
        <select value={domain} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">{t('domain_guess')}</option>
          {(names.includes(domain) || domain === '' ? names : [domain, ...names]).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="primary">
        {t('show')}
      </button>
    </form>
  );
}

/** The domain as a part of a request. */
export function domainOf({domain}: Asked): {domain?: string} {
  return domain === '' ? {} : {domain};
}
