// Problems of the file, their steps, a walk by choosing among them, and what a search finds.

import {useEffect, useRef, useState} from 'preact/hooks';
import {useTutor} from '../engine/context';
import {isAbort, messageOf, type SearchProgress} from '../engine/engine';
import type {Solution} from '../engine/wire';
import {playground} from '../i18n/playground';
import {useAnnounce} from '../parts/announcer';
import {Icon} from '../parts/icon';
import {Picture} from '../pictures/picture';
import {useAnswer} from '../research/use_answer';
import {useText} from '../state/settings';

const patience = 10_000; // milliseconds of a search
const mostSteps = 60; // shown at a time

interface Place {
  state: string;
  by: string; // the sentence of the step that led there
}

export function Tryout({domain}: {domain: string}) {
  const t = useText(playground);
  const tutor = useTutor();
  const announce = useAnnounce();
  const [seed, setSeed] = useState(1);
  const [walk, setWalk] = useState<readonly Place[]>([]);
  const [own, setOwn] = useState('');
  const [trouble, setTrouble] = useState('');
  const here = walk.at(-1)?.state;
  const begin = (state: string): void => {
    setWalk([{state, by: ''}]);
    setTrouble('');
  };
  useEffect(() => {
    let isCurrent = true;
    tutor.generate({domain, seed}).then(
      ({problem}) => isCurrent && begin(problem),
      (error: unknown) => isCurrent && setTrouble(messageOf(error)),
    );
    return () => void (isCurrent = false);
  }, [tutor, domain, seed]);
  const next = useAnswer(here === undefined ? null : (call) => tutor.next({line: here, domain, markup: true}, call), [tutor, domain, here]);
  const startHere = (): void =>
    void tutor.read({text: own, domain}).then(
      ({state}) => begin(state),
      (error: unknown) => setTrouble(messageOf(error)),
    );
  const steps = next.state === 'ready' ? next.value.steps : [];
  const isSolved = next.state === 'ready' && next.value.solved;
  useEffect(() => {
    if (isSolved) announce(t('solved'));
  }, [isSolved]);
  return (
    <section class="card tryout" aria-labelledby="tryout-heading">
      <div class="card-head">
        <h2 id="tryout-heading">{t('try')}</h2>
        <button type="button" onClick={() => setSeed(seed + 1)}>
          <Icon name="dice" />
          {t('another')}
        </button>
      </div>
      <div class="row">
        <label class="labelled">
          <span>{t('own')}</span>
          <input type="text" value={own} spellcheck={false} autocapitalize="off" onInput={(event) => setOwn(event.currentTarget.value)} onKeyDown={(event) => event.key === 'Enter' && startHere()} />
        </label>
        <button type="button" disabled={own.trim() === ''} onClick={startHere}>
          {t('start')}
        </button>
      </div>
      {trouble !== '' && (
        <p class="trouble" role="alert">
          <Icon name="warning" /> {trouble}
        </p>
      )}
      <ol class="walk" aria-label={t('walk')}>
        {walk.map(({state, by}, index) => (
          <li key={index} class={index === walk.length - 1 ? 'here' : undefined}>
            {by !== '' && <span class="soft">{by}</span>}
            <code>{state}</code>
          </li>
        ))}
      </ol>
      {next.state === 'ready' && <Picture picture={next.value.picture} />}
      {isSolved && (
        <p class="verified">
          <Icon name="star" /> {t('solved')}
        </p>
      )}
      {next.state === 'failed' && <p class="trouble">{next.message}</p>}
      {next.state === 'ready' && !isSolved && steps.length === 0 && <p class="trouble">{t('stuck')}</p>}
      {walk.length > 1 && (
        <button type="button" class="quiet" onClick={() => setWalk(walk.slice(0, -1))}>
          <Icon name="undo" />
          {t('back')}
        </button>
      )}
      {here !== undefined && !isSolved && <Search key={here} domain={domain} problem={here} />}
      {!isSolved && steps.length > 0 && (
        <>
          <h3>{t('steps', {n: steps.length})}</h3>
          <ul class="successors">
            {steps.slice(0, mostSteps).map((step, index) => (
              <li key={index}>
                <button type="button" onClick={() => setWalk([...walk, {state: step.after, by: step.text}])}>
                  <code>{step.after}</code>
                  <span class="soft">{step.text}</span>
                </button>
              </li>
            ))}
          </ul>
          {steps.length > mostSteps && <p class="soft">{t('more_steps', {n: steps.length - mostSteps})}</p>}
        </>
      )}
    </section>
  );
}

function Search({domain, problem}: {domain: string; problem: string}) {
  const t = useText(playground);
  const tutor = useTutor();
  const announce = useAnnounce();
  const running = useRef<AbortController | null>(null);
  const [progress, setProgress] = useState<SearchProgress | null>(null);
  const [solution, setSolution] = useState<Solution | null>(null);
  const [failure, setFailure] = useState('');
  useEffect(() => () => running.current?.abort(), []);
  const said = (found: Solution): string =>
    found.answer === null
      ? t('not_found', {seconds: patience / 1000, expanded: found.expanded})
      : t('found', {n: found.steps.length, expanded: found.expanded});
  const search = async (): Promise<void> => {
    const control = new AbortController();
    running.current = control;
    setProgress({expanded: 0, beam: 1, milliseconds: 0});
    setFailure('');
    try {
      const found = await tutor.solve({problem, domain, milliseconds: patience}, {signal: control.signal, onProgress: setProgress});
      setSolution(found);
      announce(said(found));
    } catch (error) {
      if (!isAbort(error)) setFailure(messageOf(error));
    }
    setProgress(null);
  };
  return (
    <div class="search">
      <div class="row">
        <button type="button" class="primary" disabled={progress !== null} onClick={() => void search()}>
          <Icon name="steps" />
          {t('solve')}
        </button>
        {progress !== null && (
          <>
            <span class="soft">{t('searching', {n: progress.expanded})}</span>
            <button type="button" onClick={() => running.current?.abort()}>
              {t('stop')}
            </button>
          </>
        )}
      </div>
      {failure !== '' && <p class="failure">{failure}</p>}
      {solution !== null && (
        <>
          <p>{said(solution)}</p>
          <ol class="walk found">
            {solution.steps.map((step, index) => (
              <li key={index}>
                <span class="soft">{step.text}</span>
                <code>{step.after}</code>
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
