import assert from 'node:assert/strict';
import {test} from 'node:test';
import {limits, readSet, writeSet, type SetItem} from '../../src/share';
import {
  draftOf,
  emptyDraft,
  readDraft,
  setOf,
  storedDraft,
  taskOf,
  withItems,
  without,
  withMoved,
  withReplaced,
  type Draft,
} from '../../src/teacher/draft';
import {nextOpen, noProgress, readProgress, withDone} from '../../src/teacher/set_progress';

const own: SetItem = {domain: 'algebra', problem: '2x + 3 = 7'};
const made: SetItem = {skill: 'brackets', level: 2, seed: 7};
const sorting: SetItem = {domain: 'sorting', problem: '[==|=]'};

const items = (draft: Draft): SetItem[] => draft.items.map(({item}) => item);
const keys = (draft: Draft): number[] => draft.items.map(({key}) => key);

test('items are added, moved, replaced and removed, and each has a name of its own', () => {
  const three = withItems(emptyDraft, [own, made, sorting]);
  assert.deepEqual(items(three), [own, made, sorting]);
  assert.equal(new Set(keys(three)).size, 3);
  assert.deepEqual(items(withMoved(three, 0, 2)), [made, sorting, own]);
  assert.deepEqual(items(withMoved(three, 2, 1)), [own, sorting, made]);
  for (const [from, to] of [
    [0, -1],
    [2, 3],
    [5, 0],
  ] as const)
    assert.deepEqual(items(withMoved(three, from, to)), items(three));
  assert.deepEqual(items(without(three, 1)), [own, sorting]);
  const replaced = withReplaced(three, 1, {skill: 'brackets', level: 2, seed: 8});
  assert.deepEqual(items(replaced), [own, {skill: 'brackets', level: 2, seed: 8}, sorting]);
  assert.equal(new Set(keys(withItems(replaced, [own, own]))).size, 5);
});

test('a draft takes as many items as a link may have', async () => {
  const full = withItems(
    emptyDraft,
    Array.from({length: limits.items + 5}, () => own),
  );
  assert.equal(full.items.length, limits.items);
  assert.equal(withItems(full, [made]).items.length, limits.items);
  assert.equal((await readSet(await writeSet(setOf(full, 'en')))).ok, true);
});

test('a draft survives the link and the storage', async () => {
  const draft: Draft = {...withItems(emptyDraft, [own, made]), title: 'Monday', hints: false};
  const read = await readSet(await writeSet(setOf(draft, 'de')));
  assert.ok(read.ok);
  assert.equal(read.set.language, 'de');
  assert.deepEqual(draftOf(read.set), draft);
  assert.deepEqual(readDraft(JSON.parse(JSON.stringify(storedDraft(draft)))), draft);
});

test('garbage in the storage is no draft, or left out of it', () => {
  for (const garbage of [null, 5, 'x', [], {}, {title: 1, hints: true, items: []}, {title: '', hints: true, items: {}}]) {
    assert.equal(readDraft(garbage), undefined);
  }
  const bad = [null, 5, {}, {domain: 'algebra'}, {domain: 'algebra', problem: ''}, {skill: 'x', level: 0, seed: 1}];
  const worse = [
    {skill: 'x', level: 1, seed: -1},
    {skill: 'x', level: 1, seed: 1.5},
    {skill: 5, level: 1, seed: 1},
  ];
  const draft = readDraft({title: 'T', hints: true, items: [...bad, own, ...worse, made]});
  assert.deepEqual(draft && items(draft), [own, made]);
});

test('pupils are told what to do', () => {
  assert.equal(taskOf('algebra', '2x + 3 = 7'), 'task_solve');
  assert.equal(taskOf('algebra:family=decimals', '0.5 * 4'), 'task_work_out');
  assert.equal(taskOf('sorting', '[==|=]'), 'task_sort');
  assert.equal(taskOf('rubiks-cube:max_moves=3', 'A0'), 'task_cube');
  assert.equal(taskOf('ternary-addition', '#(a0)'), 'task_ternary');
});

test('progress knows what is done and what comes next', () => {
  let progress = withDone(noProgress, 1, 'helped');
  assert.equal(nextOpen(progress, 0, 3), 2);
  assert.equal(nextOpen(progress, 2, 3), 0);
  progress = withDone(withDone(progress, 0, 'alone'), 2, 'alone');
  assert.equal(nextOpen(progress, 1, 3), null);
  assert.equal(withDone(progress, 0, 'helped').done[0], 'alone');
  assert.equal(withDone(progress, 1, 'alone').done[1], 'alone');
  assert.deepEqual(readProgress(JSON.parse(JSON.stringify(progress))), progress);
  for (const garbage of [null, 5, [], {}, {done: 5}]) assert.equal(readProgress(garbage), undefined);
  assert.deepEqual(readProgress({current: -1, done: {x: 'alone', 1: 'danced', 2: 'alone'}}), {current: 0, done: {2: 'alone'}});
});
