// The work on one exercise: the lines that were accepted, the last one that was not, hints, the solution as far as it was shown.
// Plain data, changed by pure functions, so that it can be kept across a reload.

import type {CheckedLine, Exercise, Hint, Markup, Solution, Verdict} from '../engine/wire';
import {isRecord} from '../state/storage';

export interface WorkLine extends Markup {
  entered: string; // as it is sent to be checked
  shown: string; // as the engine writes it
  verdict: Verdict;
  message: string;
  isWarning: boolean;
}

/** A line that was not accepted, with what is wrong about it. */
export interface Attempt extends Markup {
  entered: string;
  shown: string;
  verdict: Verdict;
  message: string;
  mistake: string | null;
  position: number | null;
  understood: string | null;
}

export interface Work {
  exercise: Exercise;
  lines: WorkLine[];
  attempt: Attempt | null;
  hints: Hint[]; // for the last line
  solution: {solution: Solution; shown: number} | null; // from the last line on
  isSolved: boolean;
  hintsTaken: number;
  wrongLines: number;
  wasShownSolution: boolean;
}

export function begin(exercise: Exercise): Work {
  return {
    exercise,
    lines: [],
    attempt: null,
    hints: [],
    solution: null,
    isSolved: exercise.solved === true,
    hintsTaken: 0,
    wrongLines: 0,
    wasShownSolution: false,
  };
}

/** What the next line has to follow from. */
export function currentLine(work: Work): string {
  return work.lines.at(-1)?.entered ?? work.exercise.problem;
}

export function currentPicture(work: Work): Markup['picture'] {
  const last = work.lines.at(-1);
  return last === undefined ? work.exercise.picture : last.picture;
}

export function isAccepted(checked: CheckedLine): boolean {
  return checked.correct === true || checked.verdict === 'cannot_tell';
}

export function judged(work: Work, entered: string, checked: CheckedLine): Work {
  const {mathml, speech, picture, verdict} = checked;
  if (!isAccepted(checked)) {
    const attempt: Attempt = {
      entered, mathml, speech, picture, verdict,
      shown: checked.notation ?? checked.line ?? entered,
      message: checked.text,
      mistake: checked.mistake,
      position: checked.position,
      understood: null,
    }; // prettier-ignore
    // What cannot be read is no mistake of calculation.
    return {...work, attempt, wrongLines: work.wrongLines + (verdict === 'unreadable' ? 0 : 1)};
  }
  const line: WorkLine = {
    entered, mathml, speech, picture, verdict,
    ...(checked.singmaster == null ? {shown: checked.notation ?? checked.line ?? entered} : {shown: checked.singmaster, mathml: undefined}),
    message: checked.text,
    isWarning: checked.changes_solutions || verdict === 'cannot_tell' || verdict === 'not_closer',
  }; // prettier-ignore
  return {...work, lines: [...work.lines, line], attempt: null, hints: [], solution: null, isSolved: verdict === 'solved'};
}

export function hinted(work: Work, hint: Hint): Work {
  return {...work, hints: [...work.hints, hint], hintsTaken: work.hintsTaken + 1};
}

export function solutionShown(work: Work, solution: Solution, shown: number): Work {
  const wasShownSolution = work.wasShownSolution || !work.isSolved; // Afterwards it is no help.
  return {...work, solution: {solution, shown: Math.min(shown, solution.steps.length)}, wasShownSolution};
}

export function undone(work: Work): Work {
  if (work.attempt !== null) return {...work, attempt: null};
  return {...work, lines: work.lines.slice(0, -1), hints: [], solution: null, isSolved: false};
}

export function canUndo(work: Work): boolean {
  return work.attempt !== null || work.lines.length > 0;
}

/** Whether it counts towards mastering a level. */
export function isFlawless(work: Work): boolean {
  return work.isSolved && work.hintsTaken === 0 && work.wrongLines === 0 && !work.wasShownSolution;
}

/** The work that was stored, or undefined if it is not one; only what is needed to go on is checked. */
export function readWork(stored: unknown): Work | undefined {
  if (!isRecord(stored) || !isRecord(stored.exercise)) return undefined;
  const {exercise, lines, hints, hintsTaken, wrongLines} = stored;
  if (typeof exercise.problem !== 'string' || typeof exercise.domain !== 'string' || typeof exercise.notation !== 'string') return undefined;
  if (!Array.isArray(lines) || !lines.every(isWorkLine) || !Array.isArray(hints)) return undefined;
  const blank = begin(exercise as unknown as Exercise);
  return {
    ...blank,
    lines,
    hints: hints.filter(isHint),
    isSolved: stored.isSolved === true,
    hintsTaken: typeof hintsTaken === 'number' ? hintsTaken : 0,
    wrongLines: typeof wrongLines === 'number' ? wrongLines : 0,
    wasShownSolution: stored.wasShownSolution === true,
  };
}

function isWorkLine(value: unknown): value is WorkLine {
  return isRecord(value) && ['entered', 'shown', 'verdict', 'message'].every((name) => typeof value[name] === 'string');
}

function isHint(value: unknown): value is Hint {
  return isRecord(value) && typeof value.text === 'string' && typeof value.level === 'number';
}
