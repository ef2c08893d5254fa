// The set that a teacher works on: a plain value, changed by pure functions, remembered in the browser.

import type {Language} from '../i18n/table';
import {isSkillItem, limits, type ExerciseSet, type SetItem} from '../share';
import {isRecord} from '../state/storage';

export interface Draft {
  title: string;
  hints: boolean;
  items: readonly DraftItem[];
}

/** An item with a name of its own, so that lists can be reordered. */
export interface DraftItem {
  key: number;
  item: SetItem;
}

export const emptyDraft: Draft = {title: '', hints: true, items: []};

function nextKey(draft: Draft): number {
  return 1 + Math.max(0, ...draft.items.map(({key}) => key));
}

/** As many as there is room for. */
export function withItems(draft: Draft, items: readonly SetItem[]): Draft {
  const first = nextKey(draft);
  const added = items
    .slice(0, Math.max(0, limits.items - draft.items.length))
    .map((item, index) => ({key: first + index, item}));
  return {...draft, items: [...draft.items, ...added]};
}

export function withMoved(draft: Draft, from: number, to: number): Draft {
  const items = [...draft.items];
  const [moved] = items.splice(from, 1);
  if (moved === undefined || to < 0 || to > items.length) return draft;
  items.splice(to, 0, moved);
  return {...draft, items};
}

export function without(draft: Draft, index: number): Draft {
  return {...draft, items: draft.items.filter((_, at) => at !== index)};
}

export function withReplaced(draft: Draft, index: number, item: SetItem): Draft {
  return {...draft, items: draft.items.map((old, at) => (at === index ? {key: nextKey(draft), item} : old))};
}

export function setOf(draft: Draft, language: Language): ExerciseSet {
  return {
    version: 1,
    title: draft.title.slice(0, limits.titleLength),
    language,
    hints: draft.hints,
    items: draft.items.map(({item}) => item),
  };
}

export function draftOf(set: ExerciseSet): Draft {
  return withItems({title: set.title, hints: set.hints, items: []}, set.items);
}

/** A draft from what the browser kept; what is no item is left out. */
export function readDraft(stored: unknown): Draft | undefined {
  if (!isRecord(stored) || typeof stored.title !== 'string' || typeof stored.hints !== 'boolean') return undefined;
  if (!Array.isArray(stored.items)) return undefined;
  const items = (stored.items as unknown[]).map(readItem).filter((item) => item !== undefined);
  return withItems({title: stored.title.slice(0, limits.titleLength), hints: stored.hints, items: []}, items);
}

export function storedDraft(draft: Draft): object {
  return {title: draft.title, hints: draft.hints, items: draft.items.map(({item}) => item)};
}

function readItem(value: unknown): SetItem | undefined {
  if (!isRecord(value)) return undefined;
  const {domain, problem, skill, level, seed} = value;
  if (typeof domain === 'string' && typeof problem === 'string' && problem !== '') return {domain, problem};
  if (typeof skill !== 'string' || typeof level !== 'number' || typeof seed !== 'number') return undefined;
  if (!Number.isSafeInteger(level) || !Number.isSafeInteger(seed) || level < 1 || seed < 0) return undefined;
  return {skill, level, seed};
}

export function sameItem(a: SetItem, b: SetItem): boolean {
  if (isSkillItem(a)) return isSkillItem(b) && a.skill === b.skill && a.level === b.level && a.seed === b.seed;
  return !isSkillItem(b) && a.domain === b.domain && a.problem === b.problem;
}

/** Which sentence tells pupils what to do. */
export function taskOf(domain: string, problem: string) {
  const name = domain.split(':')[0];
  if (name === 'sorting') return 'task_sort';
  if (name === 'ternary-addition') return 'task_ternary';
  if (name === 'rubiks-cube') return 'task_cube';
  return problem.includes('=') ? 'task_solve' : 'task_work_out';
}
