// The steps that a puzzle allows, to be taken by pressing one.

import {useEffect, useState} from 'preact/hooks';
import type {Tutor} from '../engine/engine';
import type {NextStep} from '../engine/wire';
import {learner} from '../i18n/learner';
import {useText} from '../state/settings';
import {hasStepsToChoose} from './domains';
import type {WorkSession} from './use_work';
import {currentLine, type Work} from './work';

/** All steps from the last line, where these are few; none while the exercise is solved. */
export function useStepsToChoose(work: Work, tutor: Tutor): NextStep[] {
  const {domain} = work.exercise;
  const line = currentLine(work);
  const isWanted = hasStepsToChoose(domain) && !work.isSolved;
  const [steps, setSteps] = useState<NextStep[]>([]);
  useEffect(() => {
    setSteps([]);
    if (!isWanted) return;
    let isCurrent = true;
    tutor.next({line, domain}).then(
      (answer) => isCurrent && setSteps(answer.steps),
      () => undefined, // Lines can be typed all the same.
    );
    return () => {
      isCurrent = false;
    };
  }, [tutor, line, domain, isWanted]);
  return steps;
}

export function StepsToChoose({session, steps}: {session: WorkSession; steps: readonly NextStep[]}) {
  const t = useText(learner);
  const inOrder = [...steps].sort((a, b) => a.text.localeCompare(b.text, undefined, {numeric: true}));
  return (
    <div class="card">
      <h3>{t('steps_to_choose')}</h3>
      <ul class="choices">
        {inOrder.map((step) => (
          <li key={step.text}>
            <button type="button" disabled={session.isBusy} onClick={() => void session.takeStep(step)}>
              {step.text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
