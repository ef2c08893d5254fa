import assert from 'node:assert/strict';
import {test} from 'node:test';
import {typeset} from '../../src/parts/typeset';

const written = (sentence: string): string => typeset(sentence).map((piece) => (typeof piece === 'string' ? piece : `{${piece.join('|')}}`)).join('');

test('mathematics in sentences has the signs that people write', () => {
  for (const [sentence, wanted] of [
    ['Write x^2 - 5x + 6 as a product: (x - 2)(x - 3).', 'Write x² − 5x + 6 as a product: (x − 2)(x − 3).'],
    ['Bring 3/4 + 2/5 to the common denominator 20.', 'Bring {3|4} + {2|5} to the common denominator 20.'],
    ['Combine the numerators: 15/20 + 8/20 = 23/20.', 'Combine the numerators: {15|20} + {8|20} = {23|20}.'],
    ['Multiply the fractions: 25/100 * 80 = 2000/100.', 'Multiply the fractions: {25|100} · 80 = {2000|100}.'],
    ['x + 3 = 3 or x + 3 = -3', 'x + 3 = 3 or x + 3 = −3'],
    ['Divide both sides by (-2).', 'Divide both sides by (−2).'],
    ['x <= 4, x >= -2, x != 1', 'x ≤ 4, x ≥ −2, x ≠ 1'],
    ['2 * x^10 - y^2 * 3', '2 · x¹⁰ − y² · 3'],
    ['x/2 and (x + 1)/2 and 3x/4', '{x|2} and (x + 1)/2 and {3x|4}'],
    ['sqrt(5)/2', '√(5)/2'],
    ['√(36/5) = √36/√5 = 6√5/5', '√({36|5}) = √36/√5 = 6√5/5'],
    ['∛2/3 and 3/2√5', '∛2/3 and {3|2}√5'],
  ]) assert.equal(written(sentence ?? ''), wanted);
});

test('words stay as they are', () => {
  for (const sentence of ['A well-known x-value and/or none.', 'Vorzeichen-Fehler: 6 ging hinüber.', 'Turn the front face. F2 R\'', '1/2/3']) {
    assert.equal(written(sentence), sentence);
  }
});
