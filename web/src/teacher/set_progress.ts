// How far a pupil is in a set: which exercises are done, and how.

import {isRecord} from '../state/storage';

export type Outcome = 'alone' | 'helped';

export interface SetProgress {
  current: number;
  /** By the number of the exercise. */
  done: Readonly<Record<number, Outcome>>;
}

export const noProgress: SetProgress = {current: 0, done: {}};

/** An exercise that was done alone stays so. */
export function withDone(progress: SetProgress, index: number, outcome: Outcome): SetProgress {
  return {...progress, done: {...progress.done, [index]: progress.done[index] === 'alone' ? 'alone' : outcome}};
}

export function readProgress(stored: unknown): SetProgress | undefined {
  if (!isRecord(stored) || !isRecord(stored.done)) return undefined;
  const {current} = stored;
  const done: Record<number, Outcome> = {};
  for (const [index, outcome] of Object.entries(stored.done)) {
    if (/^\d{1,3}$/.test(index) && (outcome === 'alone' || outcome === 'helped')) done[Number(index)] = outcome;
  }
  return {current: typeof current === 'number' && Number.isInteger(current) && current >= 0 ? current : 0, done};
}

/** The first exercise after one that is not done, going round; nothing if all are. */
export function nextOpen(progress: SetProgress, after: number, count: number): number | null {
  for (let ahead = 1; ahead <= count; ++ahead) {
    const index = (after + ahead) % count;
    if (progress.done[index] === undefined) return index;
  }
  return null;
}
