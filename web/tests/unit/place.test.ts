import assert from 'node:assert/strict';
import {test} from 'node:test';
import {indexOfPlace} from '../../src/playground/place';
import {packText, unpackText} from '../../src/share';

test('a place is where people count it, in characters', () => {
  const text = 'a\n¬𝑝 q\n';
  assert.equal(indexOfPlace(text, 1, 1), 0);
  assert.equal(indexOfPlace(text, 2, 1), 2);
  assert.equal(text.slice(indexOfPlace(text, 2, 4)), 'q\n');
  assert.equal(indexOfPlace(text, 2, 99), 7);
  assert.equal(indexOfPlace(text, 99, 1), text.length);
});

test('any text comes back from a link', async () => {
  for (const text of ['domain x\n', '¬(a ∧ b) → 𝑝\r\n\t', 'x'.repeat(50_000)]) {
    assert.deepEqual(await unpackText(await packText(text)), {ok: true, text});
  }
  assert.deepEqual(await unpackText('1.AAAA'), {ok: false, reason: 'damaged'});
});
