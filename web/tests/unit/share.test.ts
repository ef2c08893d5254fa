import assert from 'node:assert/strict';
import {test} from 'node:test';

import {crc32, limits, readSet, writeSet, type ExerciseSet, type SetItem} from '../../src/share';

// A small generator with a fixed seed: a failure can be repeated.
function generator(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const alphabet = [...'abcxyz0123456789 +-*/=()[]|#{}\\"\'<>&%äöüß²√½−→😀中\n\t\u0000'];

function randomText(random: (below: number) => number, least: number, most: number): string {
  const length = least + random(most - least + 1);
  let text = '';
  for (let i = 0; i < length; ++i) text += alphabet[random(alphabet.length)];
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '?') || '?';
}

function randomSet(random: (below: number) => number): ExerciseSet {
  const items: SetItem[] = Array.from({length: random(12)}, () =>
    random(2) === 0
      ? {domain: randomText(random, 1, 20), problem: randomText(random, 1, 60)}
      : {skill: randomText(random, 1, 20), level: 1 + random(limits.level), seed: random(2 ** 32) * 2 ** 20 + random(2 ** 20)},
  );
  return {version: 1, title: randomText(random, 1, 40), language: random(2) ? 'en' : 'de', hints: random(2) === 1, items};
}

test('a set comes back from its link as it was', async () => {
  const random = generator(1);
  for (let i = 0; i < 200; ++i) {
    const set = randomSet(random);
    const link = await writeSet(set);
    assert.match(link, /^1\.[A-Za-z0-9_-]+$/);
    assert.deepEqual(await readSet(link), {ok: true, set});
  }
});

test('the largest set that is allowed fits', async () => {
  const random = generator(7);
  const items = Array.from({length: limits.items}, () => ({domain: 'algebra', problem: randomText(random, 200, 200)}));
  const set: ExerciseSet = {version: 1, title: 'x'.repeat(limits.titleLength), language: 'en', hints: true, items};
  assert.deepEqual(await readSet(await writeSet(set)), {ok: true, set});
});

test('a link for a lesson is short', async () => {
  const items = Array.from({length: 12}, (_, seed) => ({skill: 'brackets', level: 1 + (seed % 3), seed}));
  const link = await writeSet({version: 1, title: 'Homework for Monday', language: 'en', hints: true, items});
  assert.ok(link.length < 200, `${link.length} characters`);
});

test('no part of a link is taken for a set', async () => {
  const random = generator(2);
  for (let i = 0; i < 20; ++i) {
    const link = await writeSet(randomSet(random));
    for (let length = 0; length < link.length; ++length) {
      const result = await readSet(link.slice(0, length));
      assert.equal(result.ok, false, link.slice(0, length));
    }
    assert.equal((await readSet(link + 'A')).ok, false);
    assert.equal((await readSet(link + 'AAAA')).ok, false);
  }
});

test('a link with one flipped bit is refused', async () => {
  const random = generator(3);
  for (let i = 0; i < 10; ++i) {
    const link = await writeSet(randomSet(random));
    for (let at = 0; at < link.length; ++at) {
      for (let bit = 0; bit < 7; ++bit) {
        const flipped = link.slice(0, at) + String.fromCharCode(link.charCodeAt(at) ^ (1 << bit)) + link.slice(at + 1);
        assert.equal((await readSet(flipped)).ok, false, flipped);
      }
    }
  }
});

test('any text is answered', async () => {
  const random = generator(4);
  for (let i = 0; i < 2000; ++i) {
    const text = (random(2) ? '1.' : '') + randomText(random, 0, 40);
    assert.equal((await readSet(text)).ok, false, text);
  }
});

async function deflated(text: string | Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// A link with a right checksum around any text.
async function forged(text: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const packed = await deflated(text);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(packed));
  return '1.' + Buffer.concat([sum, packed]).toString('base64url');
}

test('a well packed text that is no set is refused', async () => {
  const wrong: unknown[] = [
    null,
    {},
    [],
    [1, 't', 'en', 1],
    [2, 't', 'en', 1, []],
    [1, 5, 'en', 1, []],
    [1, 't', 'xx', 1, []],
    [1, 't', 'en', true, []],
    [1, 't', 'en', 1, {}],
    [1, 't', 'en', 1, [['algebra']]],
    [1, 't', 'en', 1, [['algebra', '']]],
    [1, 't', 'en', 1, [['algebra', 5]]],
    [1, 't', 'en', 1, [['brackets', 0, 1]]],
    [1, 't', 'en', 1, [['brackets', 1.5, 1]]],
    [1, 't', 'en', 1, [['brackets', 1, -1]]],
    [1, 't', 'en', 1, [['brackets', 1, 1e300]]],
    [1, 't', 'en', 1, [['brackets', 1, 1, 1]]],
    [1, 't', 'en', 1, [], 0],
    [1, 't'.repeat(limits.titleLength + 1), 'en', 1, []],
    [1, 't', 'en', 1, [['algebra', 'x'.repeat(limits.problemLength + 1)]]],
    [1, 't', 'en', 1, Array.from({length: limits.items + 1}, () => ['algebra', 'x = 1'])],
    [1, '\ud800', 'en', 1, []],
  ];
  assert.equal((await readSet(await forged(JSON.stringify([1, 't', 'en', 1, []])))).ok, true);
  for (const value of wrong) {
    assert.deepEqual(await readSet(await forged(JSON.stringify(value))), {ok: false, reason: 'damaged'}, JSON.stringify(value));
  }
  assert.deepEqual(await readSet(await forged('[1,')), {ok: false, reason: 'damaged'});
  assert.deepEqual(await readSet(await forged(new Uint8Array([0xff, 0xfe]))), {ok: false, reason: 'damaged'});
});

test('a link that unfolds into megabytes is given up early', async () => {
  const bomb = await forged(' '.repeat(20_000_000));
  assert.ok(bomb.length < limits.linkLength);
  assert.deepEqual(await readSet(bomb), {ok: false, reason: 'too-large'});
  assert.deepEqual(await readSet('1.' + 'A'.repeat(limits.linkLength)), {ok: false, reason: 'too-large'});
});

test('reasons tell an empty link and one of a newer conpole from a damaged one', async () => {
  assert.deepEqual(await readSet(''), {ok: false, reason: 'empty'});
  assert.deepEqual(await readSet('2.AAAA'), {ok: false, reason: 'version'});
  assert.deepEqual(await readSet('1.!!!!'), {ok: false, reason: 'damaged'});
  assert.deepEqual(await readSet('hello'), {ok: false, reason: 'damaged'});
});

test('a set over a limit is not written', async () => {
  const set: ExerciseSet = {version: 1, title: 't'.repeat(limits.titleLength + 1), language: 'en', hints: true, items: []};
  await assert.rejects(writeSet(set), RangeError);
});

test('the checksum is CRC-32', () => {
  assert.equal(crc32(new TextEncoder().encode('123456789')), 0xcbf43926);
});
