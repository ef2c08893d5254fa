// Random problems of a domain, solved by its axioms: what the policies were trained on. The route is #/practice/in/DOMAIN.

import {useEffect, useState} from 'preact/hooks';
import {useTutor} from '../engine/context';
import {messageOf} from '../engine/engine';
import type {DomainInfo, Exercise} from '../engine/wire';
import {practice} from '../i18n/practice';
import {Icon} from '../parts/icon';
import {link} from '../router';
import {useText} from '../state/settings';
import {forget, recall, remember} from '../state/storage';
import {useDomainName} from './domains';
import {readExercise} from './exercise';
import {useLog} from './log';
import {randomSeed} from './use_another';
import {Workbench} from './workbench';

const exerciseKey = 'domain.exercise';
const workKey = 'domain.work';

export function DomainList() {
  const t = useText(practice);
  const tutor = useTutor();
  const domainName = useDomainName();
  const [domains, setDomains] = useState<DomainInfo[]>([]);
  useEffect(() => {
    tutor.domains().then(
      (answer) => setDomains(answer.domains.filter(({name, subject}) => subject && name !== 'algebra')),
      () => undefined, // The skills are there all the same.
    );
  }, [tutor]);
  return (
    <section>
      <h2>{t('domains')}</h2>
      <p class="soft">{t('domains_lead')}</p>
      <ul class="domains">
        {domains.map(({name}) => (
          <li key={name}>
            <a class="button" href={link('practice', `in/${name}`)}>
              <Icon name="dice" />
              {domainName(name)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function DomainSession({domain}: {domain: string}) {
  const t = useText(practice);
  const tutor = useTutor();
  const log = useLog();
  const [exercise, setExercise] = useState<Exercise | null>(() => {
    const kept = recall(exerciseKey, readExercise);
    return kept?.domain === domain ? kept : null;
  });
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (exercise !== null) return;
    let isCurrent = true;
    tutor.generate({domain, seed: randomSeed()}).then(
      (made) => {
        if (!isCurrent) return;
        forget(workKey);
        remember(exerciseKey, made);
        setExercise(made);
      },
      (error: unknown) => isCurrent && setFailure(messageOf(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [tutor, domain, exercise]);
  if (failure !== null) return <p class="failure">{failure}</p>;
  if (exercise === null) return null;
  return (
    <>
      <div class="session-head">
        <button type="button" class="quiet" onClick={() => setExercise(null)}>
          <Icon name="dice" />
          {t('skip')}
        </button>
      </div>
      <Workbench
        key={exercise.problem}
        exercise={exercise}
        storageKey={workKey}
        next={{label: t('next_exercise'), go: () => setExercise(null)}}
        onEvent={log}
      />
    </>
  );
}
