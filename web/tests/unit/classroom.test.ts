// What is handed in: nothing is lost, nothing comes twice, and the order stays. And a pupil's work in one row.

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Outbox, type Sending, type Sent} from '../../src/classroom/outbox';
import {readLogs} from '../../src/classroom/read_logs';
import {mistakeName, summaryOf} from '../../src/classroom/summary';

function box(kept: unknown, answers: (Sent | 'wait')[]) {
  const sent: Sending[] = [];
  const resumes: (() => void)[] = [];
  const saved: {list: readonly Sending[]} = {list: []};
  let time = 1000;
  const outbox = new Outbox({
    load: () => kept,
    save: (list) => (saved.list = list),
    send: async (one) => {
      sent.push(one);
      const answer = answers.shift() ?? 'kept';
      return answer === 'wait' ? new Promise(() => undefined) : answer;
    },
    later: (_, go) => void resumes.push(go),
    onChange: () => undefined,
    now: () => time++,
  });
  return {outbox, sent, saved, resumes};
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('what is not confirmed is kept, and sent again in its order', async () => {
  const {outbox, sent, saved, resumes} = box(undefined, ['later', 'later']);
  outbox.add({exercise: 1, kind: 'line', lines: ['2x=4'], seconds: 3});
  await settle();
  outbox.add({exercise: 1, kind: 'hint', seconds: 5});
  await settle();
  assert.deepEqual(saved.list.map(({kind}) => kind), ['line', 'hint']);
  resumes.at(-1)?.();
  await settle();
  assert.deepEqual(saved.list, []);
  assert.deepEqual(sent.map(({kind}) => kind), ['line', 'line', 'line', 'hint']);
  // The same number each time: the server knows it again.
  assert.equal(new Set(sent.map(({number}) => number)).size, 2);
});

test('numbers grow, also after a reload, and whatever the clock says', () => {
  const {outbox, saved} = box([{number: 5000, exercise: 1, kind: 'line', lines: ['x=2'], seconds: 1}, {broken: true}, 7], ['wait']);
  assert.equal(outbox.count, 1);
  outbox.add({exercise: 2, kind: 'hint', seconds: 1});
  outbox.add({exercise: 2, kind: 'hint', seconds: 1});
  assert.deepEqual(saved.list.map(({number}) => number), [5000, 5001, 5002]);
});

test('what the server will never take does not hold up the rest', async () => {
  const {outbox, sent, saved} = box(undefined, ['refused']);
  outbox.add({exercise: 1, kind: 'hint', seconds: 1});
  outbox.add({exercise: 1, kind: 'line', lines: ['x=2'], seconds: 2});
  await settle();
  assert.equal(sent.length, 2);
  assert.deepEqual(saved.list, []);
});

test("a pupil's work in one row", () => {
  const line = {line: 'x=2', verdict: 'solved', correct: true, mistake: null, time: ''};
  const wrong = {...line, verdict: 'wrong', correct: false, mistake: 'lost_sign'};
  const base = {hints: 0, solutions: 0, mistakes: {}, seconds: 10};
  const summary = summaryOf(
    [
      {...base, exercise: 1, solved: true, lines: [line]},
      {...base, exercise: 2, solved: true, lines: [wrong, line], mistakes: {lost_sign: 1, 'other-side': 2}},
      {...base, exercise: 4, solved: false, lines: [wrong], hints: 2, mistakes: {lost_sign: 3}},
    ],
    4,
  );
  assert.deepEqual(summary.states, ['state_alone', 'state_helped', 'state_none', 'state_begun']);
  assert.equal(summary.help, 2);
  assert.equal(summary.seconds, 30);
  assert.deepEqual(summary.mistakes, [['lost_sign', 4], ['other-side', 2]]);
  assert.equal(mistakeName('lost_sign'), 'lost sign');
});

test('logs that pupils hand in are read as results', () => {
  const entry = {domain: 'algebra', problem: '2x + 3 = 7', at: '2026-01-31T12:00:00.000Z'};
  const ada = {
    format: 'conpole-log',
    version: 1,
    entries: [
      {...entry, event: 'started'},
      {...entry, event: 'line', line: '2x = 10', verdict: 'wrong', correct: false, mistake: 'lost_sign'},
      {...entry, event: 'hint', hint: 1},
      {...entry, event: 'line', line: 'x = 2', verdict: 'solved', correct: true},
      {...entry, event: 'solved', helped: true, seconds: 40},
      {...entry, event: 'mastered', problem: 'brackets'},
      'no entry',
    ],
  };
  const bob = {...ada, entries: [{...entry, event: 'started', problem: '3x = 6'}]};
  const {results, unread} = readLogs([
    {name: 'Ada.json', text: JSON.stringify(ada)},
    {name: 'Bob.JSON', text: JSON.stringify(bob)},
    {name: 'photo.png', text: 'PNG'},
    {name: 'other.json', text: '{"format": "else"}'},
  ]);
  assert.deepEqual(unread, ['photo.png', 'other.json']);
  assert.deepEqual(results.exercises, [{notation: '2x + 3 = 7'}, {notation: '3x = 6'}]);
  assert.deepEqual(results.pupils.map(({name}) => name), ['Ada', 'Bob']);
  const [first] = results.pupils[0]?.work ?? [];
  assert.equal(first?.solved, true);
  assert.equal(first?.lines.length, 2);
  assert.equal(first?.hints, 1);
  assert.equal(first?.seconds, 40);
  assert.deepEqual(first?.mistakes, {lost_sign: 1});
  assert.deepEqual(results.pupils[1]?.work.map(({exercise, solved}) => [exercise, solved]), [[2, false]]);
});
