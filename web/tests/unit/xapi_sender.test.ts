// Statements reach a record store: in batches, in their order, again when it was away, and none twice as another one. The store is
// simulated with the answers that the xAPI specification allows.

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {statementOf, StatementSender, type SenderParts, type Statement} from '../../engine/xapi.js';
import {faultsOfStatement} from './xapi_checker';

const uuid = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

function statement(n: number): Statement {
  const entry = {id: uuid(n), at: '2026-01-02T03:04:05.000Z', session: uuid(999), event: 'line', domain: 'algebra', problem: 'x = 2', line: `x = ${n}`} as const;
  return statementOf(entry, 'ada', {base: 'https://school.example/'});
}

/** A store that keeps statements by their id, and answers as it is told: a status, or 0 for a network that fails. */
class Store {
  readonly kept = new Map<string, Statement>();
  readonly batches: number[] = [];
  readonly requests: {address: string; headers: Record<string, string>; keepalive: boolean}[] = [];
  answers: number[] = [];
  refused = new Set<string>();
  retryAfter = '';

  fetch = async (address: string, request: RequestInit): Promise<Pick<Response, 'status' | 'headers'>> => {
    const batch = JSON.parse(String(request.body)) as Statement[];
    this.requests.push({address, headers: request.headers as Record<string, string>, keepalive: request.keepalive === true});
    this.batches.push(batch.length);
    const forced = this.answers.shift();
    if (forced === 0) throw new TypeError('Failed to fetch');
    const status = forced ?? (batch.some(({id}) => this.refused.has(id)) ? 400 : 200);
    assert.deepEqual(batch.flatMap(faultsOfStatement), []);
    // A batch is kept as a whole or not at all.
    if (status === 200) for (const one of batch) this.kept.set(one.id, one);
    return {status, headers: new Headers(this.retryAfter === '' ? {} : {'Retry-After': this.retryAfter})};
  };
}

class Memory {
  readonly kept = new Map<string, string>();
  getItem(key: string): string | null {
    return this.kept.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.kept.set(key, value);
  }
  removeItem(key: string): void {
    this.kept.delete(key);
  }
}

function sending(store: Store, more: Partial<SenderParts> = {}) {
  const pauses: number[] = [];
  const due: (() => void)[] = [];
  const states: string[] = [];
  const sender = new StatementSender({
    endpoint: 'https://lrs.example/xapi/',
    auth: 'Basic YTpi',
    storage: new Memory(),
    fetch: store.fetch,
    later: (pause, go) => (pauses.push(pause), void due.push(go)),
    onState: (state, waiting, status) => void states.push(`${state} ${waiting} ${status}`),
    ...more,
  });
  const settle = async (): Promise<void> => {
    due.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return {sender, pauses, states, settle};
}

test('statements are gathered and sent together, fifty at a time, as the specification asks', async () => {
  const store = new Store();
  const {sender, settle, pauses} = sending(store);
  for (let n = 0; n < 120; ++n) sender.add(statement(n));
  assert.deepEqual([store.batches, pauses], [[], [2000]]);
  await settle();
  assert.deepEqual([store.batches, store.kept.size, sender.count], [[50, 50, 20], 120, 0]);
  const {address, headers} = store.requests[0] ?? {};
  assert.equal(address, 'https://lrs.example/xapi/statements');
  assert.equal(headers?.['X-Experience-API-Version'], '1.0.3');
  assert.equal(headers?.Authorization, 'Basic YTpi');
  assert.deepEqual([...store.kept.keys()], Array.from({length: 120}, (_, n) => uuid(n)));
});

test('what was not confirmed is sent again, after longer and longer pauses, and as late as the store asks', async () => {
  const store = new Store();
  store.answers = [0, 503, 429, 401];
  const {sender, settle, pauses, states} = sending(store);
  sender.add(statement(1));
  for (let turn = 0; turn < 3; ++turn) await settle();
  store.retryAfter = '120';
  await settle();
  assert.deepEqual(pauses, [2000, 4000, 8000, 16000, 120_000]);
  assert.deepEqual([store.kept.size, sender.count], [0, 1]);
  await settle();
  assert.deepEqual([store.kept.size, sender.count, states.at(-1)], [1, 0, 'sent 0 0']);
});

test('one statement that the store will never take does not hold up the rest', async () => {
  const store = new Store();
  store.refused.add(uuid(2));
  const {sender, settle, states} = sending(store);
  for (let n = 0; n < 4; ++n) sender.add(statement(n));
  await settle();
  assert.deepEqual([...store.kept.keys()], [0, 1, 3].map(uuid));
  assert.ok(states.includes('refused 1 400'), String(states));
});

test('409 means that the store has it', async () => {
  const store = new Store();
  store.answers = [409];
  const {sender, settle, states} = sending(store);
  sender.add(statement(1));
  await settle();
  assert.equal(sender.count, 0);
  assert.ok(states.every((state) => !state.startsWith('refused')));
});

test('the queue survives a reload, and windows share it', async () => {
  const storage = new Memory();
  const store = new Store();
  store.answers = [0];
  const first = sending(store, {storage});
  first.sender.add(statement(1));
  await first.settle();
  const second = sending(store, {storage});
  second.sender.add(statement(2));
  assert.equal(first.sender.count, 2);
  await second.sender.flush();
  assert.deepEqual([...store.kept.keys(), first.sender.count], [uuid(1), uuid(2), 0]);
});

test('a page that is left sends what fits, and what nobody confirmed stays', async () => {
  const store = new Store();
  const {sender} = sending(store);
  for (let n = 0; n < 500; ++n) sender.add(statement(n));
  sender.leave();
  assert.equal(store.requests[0]?.keepalive, true);
  assert.ok((store.batches[0] ?? 0) > 10);
  assert.equal(sender.count, 500);
});

test('a browser that stores nothing still sends', async () => {
  const full = {getItem: () => null, setItem: () => assert.fail('full'), removeItem: () => undefined};
  for (const storage of [null, full]) {
    const store = new Store();
    const {sender, settle} = sending(store, {storage});
    sender.add(statement(1));
    sender.add(statement(2));
    await settle();
    assert.deepEqual([store.kept.size, sender.count], [2, 0]);
  }
});
