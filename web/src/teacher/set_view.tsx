// Pupils open a link and work through the exercise set that is in it. How far they are is remembered in their browser.

import {useEffect, useState} from 'preact/hooks';
import {LogCard} from '../export/log_card';
import {learnerLog} from '../export/learner_log';
import {teacher} from '../i18n/teacher';
import type {WorkEvent} from '../learner/work_event';
import {Workbench} from '../learner/workbench';
import {Icon} from '../parts/icon';
import {Interim} from '../parts/interim';
import {link} from '../router';
import {crc32, readSet, type ExerciseSet, type ReadFailure, type ReadResult} from '../share';
import {readSettings, useSettings, useText} from '../state/settings';
import {recall, remember} from '../state/storage';
import type {ViewProps} from '../views';
import {draftOf, readDraft, storedDraft} from './draft';
import {useExercises} from './exercises';
import {nextOpen, noProgress, readProgress, withDone, type SetProgress} from './set_progress';

export default function SetView({rest}: ViewProps) {
  const t = useText(teacher);
  const {change} = useSettings();
  const [read, setRead] = useState<{of: string; result: ReadResult} | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void readSet(rest).then((result) => {
      if (!isCurrent) return;
      setRead({of: rest, result});
      // The language of the set, unless one was chosen in this browser.
      if (result.ok && recall('settings', readSettings)?.language === undefined) change({language: result.set.language});
    });
    return () => {
      isCurrent = false;
    };
  }, [rest]);
  if (read === null || read.of !== rest) return <Interim title={t('untitled')} />;
  if (!read.result.ok) return <BadLink reason={read.result.reason} />;
  if (read.result.set.items.length === 0) return <BadLink reason="empty" />;
  return <Exercises key={rest} set={read.result.set} name={nameOf(rest)} />;
}

/** What the work on a set is kept under. */
function nameOf(fragment: string): string {
  return `set.${crc32(new TextEncoder().encode(fragment)).toString(16)}`;
}

const reasons: Record<ReadFailure, 'bad_empty' | 'bad_version' | 'bad_damaged' | 'bad_large'> = {
  empty: 'bad_empty',
  version: 'bad_version',
  damaged: 'bad_damaged',
  'too-large': 'bad_large',
};

function BadLink({reason}: {reason: ReadFailure}) {
  const t = useText(teacher);
  return (
    <div class="notice" role="alert">
      <h1>{t('untitled')}</h1>
      <p>{t(reasons[reason])}</p>
      <a class="button" href={link('teach')}>
        {t('make_own')}
      </a>
    </div>
  );
}

/** `onWork` is told of what a pupil does, if somebody collects it; the set is not the pupil's to take then. */
export function Exercises({set, name, onWork}: {set: ExerciseSet; name: string; onWork?: (index: number, event: WorkEvent) => void}) {
  const t = useText(teacher);
  const exercises = useExercises(set.items);
  const [progress, setProgress] = useState<SetProgress>(() => recall(name, readProgress) ?? noProgress);
  const [round, setRound] = useState(0);
  const count = set.items.length;
  const current = Math.min(progress.current, count - 1);
  const resolved = exercises[current] ?? {state: 'loading'};
  const title = set.title === '' ? t('untitled') : set.title;
  const done = Object.keys(progress.done).length;
  const next = nextOpen(progress, current, count);

  const update = (changed: SetProgress): void => {
    remember(name, changed);
    setProgress(changed);
  };
  const beginAgain = (): void => {
    set.items.forEach((_, index) => remember(`${name}.${index}`, null));
    update(noProgress);
    setRound(round + 1);
  };
  return (
    <div class="set">
      <header class="set-head">
        <h1>{title}</h1>
        <p class="soft">{t('progress', {done, count})}</p>
      </header>
      <ol class="set-steps">
        {set.items.map((_, index) => {
          const outcome = progress.done[index];
          const key = outcome === undefined ? 'exercise_number' : outcome === 'alone' ? 'exercise_done' : 'exercise_helped';
          return (
            <li key={index}>
              <button
                type="button"
                class={`set-step ${outcome ?? 'open'}`}
                aria-current={index === current ? 'step' : undefined}
                aria-label={t(key, {number: index + 1})}
                onClick={() => update({...progress, current: index})}
              >
                {outcome === undefined ? index + 1 : <Icon name={outcome === 'alone' ? 'star' : 'check'} />}
              </button>
            </li>
          );
        })}
      </ol>
      {resolved.state === 'loading' && <p class="loading">{t('loading')}</p>}
      {resolved.state === 'failed' && (
        <p class="notice" role="alert">
          {t('item_failed', {message: resolved.message})}
        </p>
      )}
      {resolved.state === 'ready' && (
        <Workbench
          key={`${round} ${current} ${resolved.exercise.problem}`}
          exercise={resolved.exercise}
          storageKey={`${name}.${current}`}
          title={t('exercise_number', {number: current + 1})}
          isHelpAllowed={set.hints}
          {...(next === null ? {} : {next: {label: t('next_exercise'), go: () => update({...progress, current: next})}})}
          onSolved={({isFlawless}) => update(withDone(progress, current, isFlawless ? 'alone' : 'helped'))}
          onEvent={(details) => {
            // Where somebody else keeps it, it does not stay in a browser that others may use, too.
            if (onWork === undefined) learnerLog().record({...details, set: title});
            else onWork(current, details);
          }}
        />
      )}
      {done === count && <Finished progress={progress} onAgain={beginAgain} hasLog={onWork === undefined} />}
      {onWork === undefined && <EditCopy set={set} />}
    </div>
  );
}

function Finished({progress, onAgain, hasLog}: {progress: SetProgress; onAgain: () => void; hasLog: boolean}) {
  const t = useText(teacher);
  const alone = Object.values(progress.done).filter((outcome) => outcome === 'alone').length;
  return (
    <>
      <section class="card finished">
        <h2>{t('all_done')}</h2>
        <p>{t('done_alone', {count: alone})}</p>
        <button type="button" onClick={onAgain}>
          {t('again')}
        </button>
      </section>
      {hasLog && <LogCard />}
    </>
  );
}

/** Takes the set into the teacher's view. */
function EditCopy({set}: {set: ExerciseSet}) {
  const t = useText(teacher);
  const take = (): void => {
    const own = recall('draft', readDraft);
    if (own !== undefined && own.items.length > 0) remember('draft.replaced', storedDraft(own));
    remember('draft', storedDraft(draftOf(set)));
  };
  return (
    <p class="set-foot">
      <a class="button quiet" href={link('teach')} onClick={take}>
        <Icon name="pencil" />
        {t('edit_copy')}
      </a>
    </p>
  );
}
