// The state of a workbench and what it asks the engine. One request at a time; a new one ends the one before.

import {useEffect, useRef, useState} from 'preact/hooks';
import {isAbort, messageOf, type SearchProgress, type Tutor} from '../engine/engine';
import type {CheckedLine, Hint, NextStep, Solution} from '../engine/wire';
import {learner} from '../i18n/learner';
import {useAnnounce} from '../parts/announcer';
import {useSettings, useText} from '../state/settings';
import {recall, remember} from '../state/storage';
import {begin, canUndo, currentLine, hinted, isAccepted, isFlawless, judged, readWork, solutionShown, undone, type Work} from './work';
import type {WorkEvent} from './work_event';
import type {WorkbenchProps} from './workbench';

/** How long is searched at most. A learner who is tired of waiting can stop it. */
const patience = 20_000;

/** What went wrong, and beside which button that is said. */
export interface Failure {
  at: 'check' | 'hint' | 'solution';
  text: string;
}

export interface WorkSession {
  work: Work;
  draft: string;
  isBusy: boolean;
  searching: SearchProgress | null;
  failure: Failure | null;
  canUndo: boolean;
  setDraft: (text: string) => void;
  check: (line?: string) => Promise<void>;
  hint: () => Promise<void>;
  showSolution: (steps?: number) => Promise<void>;
  showSteps: (count: number) => void;
  takeStep: (step: NextStep) => Promise<void>;
  undo: () => void;
  stop: () => void;
}

export function useWork(props: WorkbenchProps, tutor: Tutor): WorkSession {
  const {exercise, storageKey, onSolved, onEvent} = props;
  const t = useText(learner);
  const {language} = useSettings();
  const announce = useAnnounce();
  const [work, setWork] = useState<Work>(() => {
    const kept = recall(storageKey, readWork);
    return kept !== undefined && kept.exercise.problem === exercise.problem && kept.exercise.domain === exercise.domain ? kept : begin(exercise);
  });
  const [draft, setDraft] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [searching, setSearching] = useState<SearchProgress | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const running = useRef<AbortController | null>(null);
  const isChecking = useRef(false); // Enter, pressed twice, is one line.
  const startedAt = useRef(Date.now());

  const {domain, problem, skill, level} = exercise;
  const tell = (details: Omit<WorkEvent, 'domain' | 'problem'>): void =>
    onEvent?.({domain, problem: exercise.notation, language, ...(skill == null ? {} : {skill}), ...(level == null ? {} : {level}), ...details});

  useEffect(() => {
    if (work.lines.length === 0 && work.hintsTaken === 0) tell({event: 'started'});
    return () => running.current?.abort();
  }, []);

  const update = (changed: Work): void => {
    setWork(changed);
    remember(storageKey, changed);
  };

  /** Runs one request; undefined if it failed or was stopped. */
  const ask = async <T>(at: Failure['at'], request: (options: {signal: AbortSignal; onProgress: (progress: SearchProgress) => void}) => Promise<T>): Promise<T | undefined> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    setFailure(null);
    try {
      return await request({signal: controller.signal, onProgress: setSearching});
    } catch (error) {
      if (isAbort(error)) return undefined;
      setFailure({at, text: messageOf(error)});
      announce(messageOf(error));
      return undefined;
    } finally {
      if (running.current === controller) {
        running.current = null;
        setBusy(false);
        setSearching(null);
      }
    }
  };

  const check = async (line = draft): Promise<void> => {
    const entered = line.trim();
    if (entered === '' || isChecking.current) return;
    isChecking.current = true;
    const checked = await ask('check', async (options): Promise<CheckedLine | undefined> => {
      const lines = [...work.lines.map((accepted) => accepted.entered), entered];
      return (await tutor.check({problem, domain, lines}, options)).lines.at(-1);
    });
    isChecking.current = false;
    if (checked === undefined) return;
    const after = judged(work, entered, checked);
    update(after);
    if (isAccepted(checked)) setDraft('');
    announce(`${verdictWord(checked)}. ${checked.speech ?? ''} ${checked.text}`);
    tell({
      event: 'line',
      line: entered,
      lines: [...work.lines.map((accepted) => accepted.entered), entered],
      verdict: checked.verdict,
      ...(checked.correct === null ? {} : {correct: checked.correct}),
      ...(checked.mistake === null ? {} : {mistake: checked.mistake}),
    });
    if (after.isSolved) {
      tell({event: 'solved', helped: !isFlawless(after), seconds: Math.round((Date.now() - startedAt.current) / 1000)});
      onSolved?.({isFlawless: isFlawless(after)});
    }
  };

  const verdictWord = (checked: CheckedLine): string =>
    checked.verdict === 'solved' ? t('solved') : isAccepted(checked) ? t('right') : checked.verdict === 'unreadable' ? t('unreadable') : t('wrong');

  const hint = async (): Promise<void> => {
    const level = work.hints.length + 1;
    if (level > 3 || work.isSolved) return;
    // With the mistake in mind, if the last line had one.
    const tried = work.attempt === null ? {} : {tried: work.attempt.entered};
    const given = await ask<Hint>('hint', (options) => tutor.hint({line: currentLine(work), ...tried, domain, level, milliseconds: patience}, options));
    if (given === undefined) return;
    update(hinted(work, given));
    announce(given.text);
    tell({event: 'hint', hint: level});
  };

  const showSolution = async (steps = 1): Promise<void> => {
    const from = work.isSolved ? problem : currentLine(work);
    setSearching({expanded: 0, beam: 1, milliseconds: 0});
    const solution = await ask<Solution>('solution', (options) => tutor.solve({problem: from, domain, detail: 'both', graph: true, milliseconds: patience}, options));
    if (solution === undefined) return;
    update(solutionShown(work, solution, steps));
    announce(solution.steps[0]?.text ?? t(solution.answer === null ? 'unsolved' : 'solved_already'));
    if (!work.isSolved) tell({event: 'solution'});
  };

  const showSteps = (count: number): void => {
    if (work.solution === null) return;
    const {solution} = work.solution;
    update(solutionShown(work, solution, count));
    const step = solution.steps[Math.min(count, solution.steps.length) - 1];
    if (step !== undefined) announce(`${step.text} ${step.speech ?? step.after}`);
  };

  const undo = (): void => {
    if (!canUndo(work)) return;
    running.current?.abort(); // What is on its way belongs to the line that goes.
    update(undone(work));
  };

  return {
    work, draft, isBusy, searching, failure, setDraft, check, hint, showSolution, showSteps, undo,
    canUndo: canUndo(work),
    takeStep: (step) => check(step.singmaster ?? step.after), // A turn of the cube says more than its facelets.
    stop: () => running.current?.abort(),
  }; // prettier-ignore
}
