// The start: type a problem, or take one of the examples. And a problem, by its address: work on it, or see how it is solved.

import {useEffect, useRef, useState} from 'preact/hooks';
import {useTutor} from '../engine/context';
import {messageOf} from '../engine/engine';
import type {Exercise} from '../engine/wire';
import {learner} from '../i18n/learner';
import {CopyLink} from '../parts/copy_link';
import {Icon} from '../parts/icon';
import {link} from '../router';
import {useText} from '../state/settings';
import type {ViewProps} from '../views';
import {addressOf, readAddress, type Asked} from './address';
import {exerciseOf} from './exercise';
import {isSame, keepExercise, pastExercises, workKeyOf} from './history';
import {useLog} from './log';
import {ProblemEntry} from './problem_entry';
import {useAnother} from './use_another';
import {Workbench} from './workbench';

export default function LearnerView({view, rest}: ViewProps) {
  const asked = readAddress(rest);
  const wasAtWork = useRef(false);
  const showsFirstStep = useRef(false);
  useEffect(() => {
    wasAtWork.current ||= asked !== null;
    scrollTo(0, 0);
  }, [rest]);
  const open = (exercise: Exercise, startsWithSolution = false): void => {
    keepExercise(exercise);
    showsFirstStep.current = startsWithSolution;
    location.hash = addressOf('solve', exercise);
  };
  if (asked === null) return <ProblemEntry takesFocus={wasAtWork.current} onOpen={open} />;
  const shown = view === 'solution' ? 'all' : showsFirstStep.current ? 'first' : 'none';
  return <ProblemByAddress key={`${view} ${rest}`} asked={asked} shown={shown} onOpen={open} />;
}

interface ProblemProps {
  asked: Asked;
  shown: 'none' | 'first' | 'all';
  onOpen: (exercise: Exercise) => void;
}

function ProblemByAddress({asked, shown, onOpen}: ProblemProps) {
  const t = useText(learner);
  const log = useLog();
  const tutor = useTutor();
  const [exercise, setExercise] = useState<Exercise | null>(() => {
    const {domain, problem} = asked;
    return domain === undefined ? null : (pastExercises().find((past) => isSame(past, {domain, problem})) ?? null);
  });
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => {
    if (exercise !== null) return;
    tutor.read({text: asked.problem, domain: asked.domain}).then(
      (reading) => setExercise(exerciseOf(reading)),
      (error: unknown) => setTrouble(messageOf(error)),
    );
  }, []);
  useEffect(() => {
    if (exercise === null) return;
    keepExercise(exercise);
    document.title = `${exercise.picture?.kind === 'cube' ? t('scrambled') : exercise.notation} · conpole`;
    return () => void (document.title = 'conpole');
  }, [exercise]);
  const another = useAnother(exercise, onOpen);
  return (
    <>
      <div class="view-head">
        <h1 class="visually-hidden">{t('sample_work')}</h1>
        <button type="button" class="quiet" onClick={() => (location.hash = link(''))}>
          <Icon name="back" />
          {t('new_problem')}
        </button>
        {exercise !== null && (
          <div class="row">
            <CopyLink label={t('link_problem')} route={addressOf('solve', exercise)} />
            <CopyLink label={t('link_solution')} route={addressOf('solution', exercise)} />
          </div>
        )}
      </div>
      {trouble !== null && (
        <p class="trouble" role="alert">
          <Icon name="warning" /> <code>{asked.problem}</code>: {trouble}
        </p>
      )}
      {exercise !== null && (
        <Workbench
          exercise={exercise}
          storageKey={workKeyOf(exercise)}
          stepsShown={{none: 0, first: 1, all: Infinity}[shown]}
          onEvent={log}
          next={{label: t('another'), go: () => void another()}}
        />
      )}
    </>
  );
}
