import assert from 'node:assert/strict';
import {test} from 'node:test';
import {addressOf, readAddress} from '../../src/learner/address';
import {readRoute} from '../../src/router';

test('an address leads back to its problem', () => {
  for (const problem of ['2x + 3 = 7', '1/2 + 1/3', '25% of 80', '[3, 1, 2]', 'a#b?c&d', '100%25', '√2 · x', 'WWWWWWWWWOOO']) {
    const {view, rest} = readRoute(addressOf('solution', {domain: 'algebra', problem}));
    assert.equal(view, 'solution');
    assert.deepEqual(readAddress(rest), {domain: 'algebra', problem});
  }
});

test('an address that was written by hand', () => {
  assert.deepEqual(readAddress('2x+3=7'), {problem: '2x+3=7'});
  assert.deepEqual(readAddress('1/2+1/3'), {problem: '1/2+1/3'});
  assert.deepEqual(readAddress('25%%20of%2080'), {problem: '25% of 80'});
  assert.deepEqual(readAddress('fractions/1/2'), {domain: 'fractions', problem: '1/2'});
  assert.deepEqual(readAddress('%e4'), {problem: '%e4'});
  assert.equal(readAddress(''), null);
  assert.equal(readAddress('algebra/'), null);
});
