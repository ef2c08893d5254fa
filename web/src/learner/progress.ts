// How far a learner is, as the engine counts it: for each skill the levels that are mastered, the row of the current one and how
// likely that level is known.

import {isRecord, recall, remember} from '../state/storage';

export interface SkillProgress {
  levels_mastered: number;
  in_a_row: number;
  level: number;
  known?: number;
}

export type LearnerProgress = Record<string, SkillProgress>;

const key = 'practice.progress';

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 20;
}

/** What was stored, without what makes no sense. */
export function readProgress(stored: unknown): LearnerProgress | undefined {
  if (!isRecord(stored)) return undefined;
  const progress: LearnerProgress = {};
  for (const [skill, value] of Object.entries(stored)) {
    if (!isRecord(value)) continue;
    const {levels_mastered = 0, in_a_row = 0, level = 1, known} = value;
    if (!isCount(levels_mastered) || !isCount(in_a_row) || !isCount(level)) continue;
    progress[skill] = {levels_mastered, in_a_row, level};
    if (typeof known === 'number' && known >= 0 && known <= 1) progress[skill].known = known;
  }
  return progress;
}

export function recallProgress(): LearnerProgress {
  return recall(key, readProgress) ?? {};
}

export function rememberProgress(progress: LearnerProgress): void {
  remember(key, progress);
}

export interface Practising {
  skill: string;
  level: number;
  seed: number;
  isCounted: boolean; // An exercise counts once, also if its last line is taken back and written again.
}

export function readPractising(stored: unknown): Practising | undefined {
  if (!isRecord(stored)) return undefined;
  const {skill, level, seed} = stored;
  if (typeof skill !== 'string' || !isCount(level) || level === 0) return undefined;
  if (typeof seed !== 'number' || !Number.isSafeInteger(seed) || seed < 0) return undefined;
  return {skill, level, seed, isCounted: stored.isCounted === true};
}
