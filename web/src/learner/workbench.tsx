// Works through one exercise: lines with their judgement, the entry for the next one, and beside it the picture, hints and solution.
// The work is kept under `storageKey`, so that it is there again after a reload.

import {useEffect, useId, useRef, useState} from 'preact/hooks';
import {useTutor} from '../engine/context';
import type {Exercise} from '../engine/wire';
import {learner} from '../i18n/learner';
import {Entry, type EntryMode} from '../parts/entry';
import {Icon} from '../parts/icon';
import {ModeSwitch, useShortcut} from '../parts/mode_switch';
import {useText} from '../state/settings';
import {entryModeOf, hasStepsToChoose, useDomainName} from './domains';
import {FailureAt} from './failure_at';
import {Help} from './help';
import {Lines, WrongLine} from './lines';
import {usePreferredMode} from './preferred_mode';
import {SolvedCard} from './solved_card';
import {useStepsToChoose} from './steps_to_choose';
import {useWork} from './use_work';
import type {WorkEvent} from './work_event';
import {WorkPicture} from './work_picture';

export interface WorkbenchProps {
  exercise: Exercise;
  storageKey: string;
  /** What stands above the lines; the name of the domain if there is nothing. */
  title?: string;
  /** Whether hints and the solution may be asked for. */
  isHelpAllowed?: boolean;
  /** How many steps of the solution are shown at once. */
  stepsShown?: number;
  /** What the learner may do when it is solved. */
  next?: {label: string; go: () => void};
  onSolved?: (outcome: {isFlawless: boolean}) => void;
  onEvent?: (details: WorkEvent) => void;
}

export function Workbench(props: WorkbenchProps) {
  const {exercise, title, isHelpAllowed = true, stepsShown = 0, next} = props;
  const domainName = useDomainName();
  const tutor = useTutor();
  const session = useWork(props, tutor);
  const {work} = session;
  const steps = useStepsToChoose(work, tutor);
  const didStart = useRef(false);
  useEffect(() => {
    if (stepsShown > 0 && !didStart.current) void session.showSolution(stepsShown);
    didStart.current = true;
  });
  const headingId = useId();
  return (
    <section class="workbench" aria-labelledby={headingId}>
      <div class="sheet">
        <div class="sheet-head">
          <h2 id={headingId} class="chip">
            {title ?? domainName(exercise.domain)}
          </h2>
        </div>
        <Lines work={work} />
        {hasStepsToChoose(exercise.domain) && <WorkPicture session={session} steps={steps} />}
        {work.attempt !== null && <WrongLine attempt={work.attempt} />}
        {work.isSolved ? <SolvedCard work={work} next={next} onUndo={session.undo} /> : <NextLine session={session} />}
        <FailureAt place="check" session={session} />
      </div>
      <Help session={session} steps={steps} isHelpAllowed={isHelpAllowed} />
    </section>
  );
}

function NextLine({session}: {session: ReturnType<typeof useWork>}) {
  const t = useText(learner);
  const {work, draft, setDraft} = session;
  const [preferred, prefer] = usePreferredMode();
  const {domain} = work.exercise;
  const [mode, setMode] = useState<EntryMode>(() => entryModeOf(domain, preferred));
  const wrongId = useId();
  useShortcut('u', session.undo);
  return (
    <div class="next-line">
      <div class="entry-row">
        <Entry
          mode={mode}
          value={draft}
          label={t('next_line')}
          isInvalid={work.attempt !== null}
          describedBy={work.attempt === null ? undefined : wrongId}
          errorByte={work.attempt?.position ?? null}
          autoFocus
          onInput={setDraft}
          onEnter={(value) => void session.check(value)}
        />
        <button type="button" class="primary" disabled={session.isBusy || draft.trim() === ''} onClick={() => void session.check()}>
          <Icon name="check" />
          {session.isBusy ? t('checking') : t('check')}
        </button>
      </div>
      <span id={wrongId} class="visually-hidden">
        {work.attempt?.message}
      </span>
      <div class="entry-tools">
        <ModeSwitch
          mode={mode}
          value={draft}
          onChange={(chosen, value) => {
            setMode(chosen);
            if (!hasStepsToChoose(domain)) prefer(chosen);
            setDraft(value);
          }}
        />
        <button type="button" class="quiet" disabled={!session.canUndo} onClick={session.undo} aria-keyshortcuts="Alt+U">
          <Icon name="undo" />
          {t('undo')}
        </button>
      </div>
    </div>
  );
}

