// What stands beside the lines: the picture, steps to choose from, hints, and the solution as it unfolds.

import type {NextStep} from '../engine/wire';
import {learner} from '../i18n/learner';
import {Formula} from '../parts/formula';
import {Icon} from '../parts/icon';
import {useShortcut} from '../parts/mode_switch';
import {Said} from '../parts/said';
import {useText} from '../state/settings';
import {hasStepsToChoose} from './domains';
import {FailureAt} from './failure_at';
import {SolutionSteps} from './solution_steps';
import {StepsToChoose} from './steps_to_choose';
import type {WorkSession} from './use_work';
import {currentPicture} from './work';
import {WorkPicture} from './work_picture';

interface HelpProps {
  session: WorkSession;
  steps: readonly NextStep[];
  isHelpAllowed: boolean;
}

export function Help({session, steps, isHelpAllowed}: HelpProps) {
  const {work} = session;
  return (
    <aside class="help">
      {!hasStepsToChoose(work.exercise.domain) && <WorkPicture session={session} steps={steps} />}
      {steps.length > 0 && currentPicture(work) === undefined && <StepsToChoose session={session} steps={steps} />}
      {isHelpAllowed && !work.isSolved && <Hints session={session} />}
      {isHelpAllowed && <SolutionCard session={session} />}
    </aside>
  );
}

function Hints({session}: {session: WorkSession}) {
  const t = useText(learner);
  const {work} = session;
  const count = work.hints.length;
  const labels = ['hint', 'hint_more', 'hint_line'] as const;
  const label = labels[count];
  useShortcut('h', () => void session.hint());
  return (
    <div class="card hints">
      <h3>
        <Icon name="bulb" /> {t('hints')}
      </h3>
      {count === 0 && <p class="soft">{t('hint_none')}</p>}
      <ol>
        {work.hints.map((hint) => (
          <li key={hint.level}>
            <span class="visually-hidden">{t('hint_level', {n: hint.level})}: </span>
            <Said text={hint.text} />
            {hint.line != null && (
              <div class="hint-line">
                <Formula text={hint.line_notation ?? hint.line} mathml={hint.line_mathml} speech={hint.line_speech} />
                <button type="button" onClick={() => void session.check(hint.line ?? '')}>
                  {t('use_line')}
                </button>
              </div>
            )}
          </li>
        ))}
      </ol>
      {label !== undefined && (
        <button type="button" disabled={session.isBusy} onClick={() => void session.hint()} aria-keyshortcuts="Alt+H">
          {t(label)}
        </button>
      )}
      <FailureAt place="hint" session={session} />
    </div>
  );
}

function SolutionCard({session}: {session: WorkSession}) {
  const t = useText(learner);
  const {work, searching} = session;
  const shown = work.solution;
  const isWhole = shown !== null && shown.shown >= shown.solution.steps.length;
  const advance = (): void => (shown === null ? void session.showSolution() : session.showSteps(shown.shown + 1));
  useShortcut('s', advance);
  return (
    <div class="card solution">
      <h3>
        <Icon name="steps" /> {t('solution')}
      </h3>
      {shown === null ? <p class="soft">{t(work.isSolved ? 'solution_compare' : 'solution_intro')}</p> : <SolutionSteps solution={shown.solution} shown={shown.shown} />}
      <div class="row">
        {shown === null && (
          <button type="button" disabled={session.isBusy} onClick={advance} aria-keyshortcuts="Alt+S">
            {t('show_solution')}
          </button>
        )}
        {shown !== null && !isWhole && (
          <>
            <button type="button" class="primary" onClick={advance} aria-keyshortcuts="Alt+S">
              {t('next_step')}
            </button>
            <button type="button" onClick={() => session.showSteps(Infinity)}>
              {t('all_steps')}
            </button>
          </>
        )}
        {searching !== null && (
          <div class="row searching">
            <span class="soft">{t('searching', {n: searching.expanded})}</span>
            <button type="button" onClick={session.stop}>
              {t('stop')}
            </button>
          </div>
        )}
      </div>
      <FailureAt place="solution" session={session} />
    </div>
  );
}
