// The start: type a problem, or take one of the examples, and work on it.

import {useState} from 'preact/hooks';
import type {Exercise} from '../engine/wire';
import {learner} from '../i18n/learner';
import {Icon} from '../parts/icon';
import {useText} from '../state/settings';
import {forget, recall, remember} from '../state/storage';
import type {ViewProps} from '../views';
import {readExercise} from './exercise';
import {useLog} from './log';
import {ProblemEntry} from './problem_entry';
import {useAnother} from './use_another';
import {Workbench} from './workbench';

interface Current {
  exercise: Exercise;
  startsWithSolution: boolean;
}

const currentKey = 'learner.current';
const workKey = 'learner.work';

export default function LearnerView(_: ViewProps) {
  const t = useText(learner);
  const log = useLog();
  const [current, setCurrent] = useState<Current | null>(() => {
    const exercise = recall(currentKey, readExercise);
    return exercise === undefined ? null : {exercise, startsWithSolution: false};
  });
  const [hasLeft, setLeft] = useState(false);
  const open = (exercise: Exercise, startsWithSolution = false): void => {
    forget(workKey);
    remember(currentKey, exercise);
    setCurrent({exercise, startsWithSolution});
    scrollTo(0, 0);
  };
  const leave = (): void => {
    forget(currentKey);
    forget(workKey);
    setCurrent(null);
    setLeft(true);
    scrollTo(0, 0);
  };
  const another = useAnother(current?.exercise ?? null, open);
  if (current === null) return <ProblemEntry takesFocus={hasLeft} onOpen={open} />;
  const {exercise, startsWithSolution} = current;
  return (
    <>
      <div class="view-head">
        <h1 class="visually-hidden">{t('sample_work')}</h1>
        <button type="button" class="quiet" onClick={leave}>
          <Icon name="back" />
          {t('new_problem')}
        </button>
      </div>
      <Workbench
        key={`${exercise.domain} ${exercise.problem}`}
        exercise={exercise}
        storageKey={workKey}
        startsWithSolution={startsWithSolution}
        onEvent={log}
        next={{label: t('another'), go: () => void another()}}
      />
    </>
  );
}
