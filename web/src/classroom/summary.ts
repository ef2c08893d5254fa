// A pupil's work in one row.

import type {WorkDone} from './api';

export type ExerciseState = 'state_none' | 'state_begun' | 'state_alone' | 'state_helped';

export interface Summary {
  states: ExerciseState[];
  help: number; // hints and solutions
  mistakes: [string, number][]; // the most frequent first
  seconds: number;
}

export function summaryOf(work: readonly WorkDone[], exercises: number): Summary {
  const states = Array.from({length: exercises}, (_, index): ExerciseState => {
    const done = work.find(({exercise}) => exercise === index + 1);
    if (done === undefined) return 'state_none';
    if (!done.solved) return 'state_begun';
    return done.hints + done.solutions === 0 && done.lines.every(({correct}) => correct) ? 'state_alone' : 'state_helped';
  });
  const mistakes = new Map<string, number>();
  for (const done of work) for (const [name, count] of Object.entries(done.mistakes)) mistakes.set(name, (mistakes.get(name) ?? 0) + count);
  return {
    states,
    help: work.reduce((sum, done) => sum + done.hints + done.solutions, 0),
    mistakes: [...mistakes].sort((a, b) => b[1] - a[1]),
    seconds: work.reduce((sum, done) => sum + done.seconds, 0),
  };
}

/** Mistakes have names with dashes or underscores. */
export function mistakeName(name: string): string {
  return name.replace(/[_-]/g, ' ');
}
