import assert from 'node:assert/strict';
import {test} from 'node:test';

import {durationOf, randomId, statementOf, type Statement, type XapiOptions} from '../../engine/xapi.js';
import {LearnerLog, type KeyValueStorage, type LogDetails, type LogFile} from '../../src/export/log';
import {faultsOfStatement} from './xapi_checker';

class MemoryStorage implements KeyValueStorage {
  readonly kept = new Map<string, string>();
  room = Infinity;
  getItem(key: string): string | null {
    return this.kept.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    if (value.length > this.room) throw new DOMException('full', 'QuotaExceededError');
    this.kept.set(key, value);
  }
  removeItem(key: string): void {
    this.kept.delete(key);
  }
}

const statementsOf = (log: LogFile, options: XapiOptions): Statement[] => log.entries.map((entry) => statementOf(entry, log.learner, options));
const uuid = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

function makeLog(storage: KeyValueStorage = new MemoryStorage(), most = 2000): LearnerLog {
  let ids = 0;
  let seconds = 0;
  const now = (): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, seconds++));
  return new LearnerLog({storage, most, now, newId: () => uuid(++ids)});
}

const day: LogDetails[] = [
  {event: 'started', domain: 'algebra', problem: '2x + 3 = 7', language: 'en', skill: 'two-steps', level: 2},
  {event: 'hint', domain: 'algebra', problem: '2x + 3 = 7', language: 'en', hint: 1},
  {
    event: 'line',
    domain: 'algebra',
    problem: '2x + 3 = 7',
    line: '2x = 10',
    correct: false,
    verdict: 'not_equivalent',
    mistake: 'sign_moved',
  },
  {
    event: 'line',
    domain: 'algebra',
    problem: '2x + 3 = 7',
    line: '2x = 4',
    correct: true,
    verdict: 'progress',
    set: 'Montag: Brüche & "Klammern" (1)',
  },
  {event: 'solution', domain: 'algebra', problem: '2x + 3 = 7', language: 'de'},
  {event: 'solved', domain: 'algebra', problem: '2x + 3 = 7', helped: true, seconds: 61.237},
  {event: 'started', domain: 'rubiks-cube:min_moves=3', problem: "A000%'()*!\u{1F600}\ud800 [=|==]"},
  {event: 'mastered', domain: 'algebra', problem: 'two-steps', level: 4},
];

test('the log keeps what was told, in order, with time and names', () => {
  const storage = new MemoryStorage();
  const log = makeLog(storage);
  for (const details of day) log.record(details);
  const entries = log.entries();
  assert.equal(entries.length, day.length);
  entries.forEach((entry, index) => {
    const {id, at, session, ...details} = entry;
    assert.match(id, /^00000000-0000-4000-8000-/);
    assert.equal(session, entries[0]?.session);
    assert.equal(new Date(at).toISOString(), at);
    assert.deepEqual(details, day[index]);
  });
  assert.equal(new Set(entries.map((entry) => entry.id)).size, day.length);
  assert.deepEqual(makeLog(storage).entries(), entries, 'a reload keeps it');
  assert.equal(makeLog(storage).file().learner, log.file().learner, "and the learner's name");
  log.clear();
  assert.deepEqual(log.entries(), []);
});

test('a problem that is begun again at once is begun once', () => {
  const log = makeLog();
  const started = day[0] as LogDetails;
  log.record(started);
  log.record(started);
  log.record({...started, set: 'Monday'});
  log.record(day[2] as LogDetails);
  log.record(started);
  assert.deepEqual(
    log.entries().map(({event, set}) => set ?? event),
    ['started', 'Monday', 'line', 'started'],
  );
});

test('garbage in the storage is left out, and the rest kept', () => {
  const storage = new MemoryStorage();
  const log = makeLog(storage);
  log.record(day[0] as LogDetails);
  const [key, text] = [...storage.kept][0] as [string, string];
  const kept = JSON.parse(text) as {learner: string; entries: unknown[]};
  const good = kept.entries[0] as Record<string, unknown>;
  const bad: unknown[] = [null, 5, 'x', [], {}, {...good, id: 7}, {...good, at: 'yesterday'}, {...good, event: 'danced'}];
  bad.push({...good, problem: ''}, {...good, domain: 1}, {...good, session: 'x'});
  storage.kept.set(key, JSON.stringify({...kept, entries: [...bad, {...good, seconds: -1, hint: '2', extra: 1}]}));
  assert.deepEqual(log.entries(), [good]);
  for (const garbage of ['', '{', 'null', '[]', '5', '{"entries":5}', '{"entries":{}}', '{"learner":"x","entries":[]}']) {
    storage.kept.set(key, garbage);
    assert.deepEqual(log.entries(), [], garbage);
    log.record(day[0] as LogDetails);
    assert.equal(log.entries().length, 1, garbage);
  }
});

test('the log is bounded, and makes do with little room or none', () => {
  const bounded = makeLog(new MemoryStorage(), 3);
  for (let i = 0; i < 10; ++i) bounded.record({event: 'started', domain: 'algebra', problem: `x = ${i}`});
  assert.deepEqual(
    bounded.entries().map((entry) => entry.problem),
    ['x = 7', 'x = 8', 'x = 9'],
  );

  const storage = new MemoryStorage();
  storage.room = 2000;
  const small = makeLog(storage);
  for (let i = 0; i < 100; ++i) small.record({event: 'started', domain: 'algebra', problem: `x = ${i}`});
  assert.equal(small.entries().at(-1)?.problem, 'x = 99');

  const refusing: KeyValueStorage = {
    getItem: () => {
      throw new Error('refused');
    },
    setItem: () => {
      throw new Error('refused');
    },
    removeItem: () => {
      throw new Error('refused');
    },
  };
  const none = makeLog(refusing);
  none.record(day[0] as LogDetails);
  none.clear();
  assert.deepEqual(none.entries(), []);
});

test('every entry becomes a valid xAPI statement', () => {
  const log = makeLog();
  for (const details of day) log.record(details);
  for (const base of ['https://tutor.example.org/', 'http://127.0.0.1:8080/index.html#/practice']) {
    const statements = statementsOf(log.file(), {base});
    assert.equal(statements.length, day.length);
    for (const statement of statements) assert.deepEqual(faultsOfStatement(JSON.parse(JSON.stringify(statement))), []);
  }
});

test('statements say what happened', () => {
  const log = makeLog();
  for (const details of day) log.record(details);
  const file = log.file();
  const statements = statementsOf(file, {base: 'https://tutor.example.org/'});
  const verbs = statements.map((statement) => statement.verb.id.replace('http://adlnet.gov/expapi/verbs/', ''));
  assert.deepEqual(verbs, [
    'attempted',
    'interacted',
    'answered',
    'answered',
    'experienced',
    'completed',
    'attempted',
    'mastered',
  ]);
  assert.deepEqual(
    statements.map((statement) => statement.id),
    file.entries.map((entry) => entry.id),
  );
  assert.deepEqual(statements[0]?.actor, {
    objectType: 'Agent',
    account: {homePage: 'https://tutor.example.org/', name: file.learner},
  });
  assert.equal(statements[2]?.result?.success, false);
  assert.equal(statements[2]?.result?.response, '2x = 10');
  assert.equal(statements[2]?.result?.extensions?.['https://tutor.example.org/#xapi/mistake'], 'sign_moved');
  assert.equal(statements[5]?.result?.duration, 'PT61.24S');
  assert.equal(statements[0]?.object.id, 'https://tutor.example.org/#xapi/problem/algebra/2x%20%2B%203%20%3D%207');
  assert.equal(statements[0]?.object.id, statements[5]?.object.id);
  assert.equal(statements[3]?.context.contextActivities?.grouping[0]?.definition.name.und, 'Montag: Brüche & "Klammern" (1)');
  const named = statementsOf(file, {
    base: 'https://a.example/',
    actor: {objectType: 'Agent', name: 'Ada', mbox: 'mailto:ada@example.org'},
  });
  assert.deepEqual(faultsOfStatement(named[0]), []);
  assert.equal(named[0]?.actor.name, 'Ada');
});

test('the checker sees faults', () => {
  const log = makeLog();
  log.record(day[2] as LogDetails);
  const [good] = statementsOf(log.file(), {base: 'https://tutor.example.org/'});
  const changed = (change: (statement: Record<string, any>) => void): string[] => {
    const copy = JSON.parse(JSON.stringify(good)) as Record<string, any>;
    change(copy);
    return faultsOfStatement(copy);
  };
  assert.deepEqual(
    changed(() => undefined),
    [],
  );
  assert.equal(changed((s) => delete s.actor).length > 0, true);
  assert.equal(changed((s) => (s.id = '1')).length, 1);
  assert.equal(changed((s) => (s.extra = 1)).length, 1);
  assert.equal(changed((s) => (s.actor.mbox = 'mailto:a@b')).length, 1);
  assert.equal(changed((s) => (s.verb.id = 'completed')).length > 0, true);
  assert.equal(changed((s) => (s.object.id = 'https://a.example/x y')).length, 1);
  assert.equal(changed((s) => (s.result.duration = '61s')).length, 1);
  assert.equal(changed((s) => (s.result.success = 'no')).length, 1);
  assert.equal(changed((s) => (s.result.response = null)).length, 2);
  assert.equal(changed((s) => (s.timestamp = '2026-13-01T00:00:00Z')).length, 1);
  assert.equal(changed((s) => (s.context.language = 'English')).length, 1);
});

test('durations and random names have their form', () => {
  assert.deepEqual([0, 1, 1.005, 59.999, 3600].map(durationOf), ['PT0S', 'PT1S', 'PT1S', 'PT60S', 'PT3600S']);
  const names = Array.from({length: 100}, randomId);
  assert.equal(new Set(names).size, 100);
  for (const name of names) assert.match(name, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
