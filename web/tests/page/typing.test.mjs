// What is typed with real keys into the field for formulas is what the same keys say as text.

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {enterLine, openBrowser, typeKeys} from './harness.mjs';

let session;
before(async () => (session = await openBrowser()));
after(() => session.close());

// The keys, and how the engine must understand what stands in the field then.
const inputs = [
  ['3 / 4 + 2 / 5', '3/4 + 2/5'],
  ['x/2-3=7', 'x/2 - 3 = 7'],
  ['1/2+1/3', '1/2 + 1/3'],
  ['2/3x=4', '2/3 * x = 4'],
  ['25% of 80', '25/100 * 80'],
  ['2^x=8', 'solve x: 2^x = 8'],
  ['2x+3=7', '2x + 3 = 7'],
  ['2(x+3)=14', '2(x + 3) = 14'],
  ['-x=5', '-x = 5'],
  ['x/3+x/4=7', 'x/3 + x/4 = 7'],
  ['(x+1)/2=(x-1)/3', '(x + 1)/2 = (x - 1)/3'],
  ['(3x+8)/5=(x-2)/4', '(3x + 8)/5 = (x - 2)/4'],
  ['1/(x+1)=2', '1/(x + 1) = 2'],
  ['1/(x-2)+3=4', '1/(x - 2) + 3 = 4'],
  ['2/(x+1)-1/x=0', '2/(x + 1) - 1/x = 0'],
  ['x^2-5x+6=0', 'x^2 - 5x + 6 = 0'],
  ['(x+1)^2=16', '(x + 1)^2 = 16'],
  ['2^(x+1)=16', 'solve x: 2^(x + 1) = 16'],
  ['2^x+1=9', 'solve x: 2^x + 1 = 9'],
  ['3/4*2/5', '3/4 * 2/5'],
  ['3/4:2/5', '(3/4)/(2/5)'],
  ['1/2/3', '(1/2)/3'],
  ['(1/2)/(3/4)', '(1/2)/(3/4)'],
  ['1/2-1/3+1/4', '1/2 - 1/3 + 1/4'],
  ['-1/2+3/4', '-1/2 + 3/4'],
  ['2 1/2+1 1/4', '2 1/2 + 1 1/4'],
  ['0.5x=2', '0.5x = 2'],
  ['0,5x=2', '0.5x = 2'],
  ['2+3*4-5', '2 + 3 * 4 - 5'],
  ['7-(3-5)', '7 - (3 - 5)'],
  ['2x+3<7', 'solve x: 2x + 3 < 7'],
  ['2x+3<=7', 'solve x: 2x + 3 <= 7'],
  ['x/2>3', 'solve x: x/2 > 3'],
  ['a^2-b^2', 'factor: a^2 - b^2'],
  ['|x-2|=5', 'solve x: abs(x - 2) = 5'],
  ['x=3 or x=-2', 'x = 3 or x = -2'],
  ['15% von 60', '15/100 * 60'],
  ['x/2=3/4', 'x/2 = 3/4'],
  ['x/2+1=x/3-2', 'x/2 + 1 = x/3 - 2'],
  ['5x/2-3x/4=7', '5x/2 - 3x/4 = 7'],
  ['1/2x+3=5', '1/2 * x + 3 = 5'],
  ['3/4x-1/2=1', '3/4 * x - 1/2 = 1'],
  ['(2x-1)/3-x/2=1', '(2x - 1)/3 - x/2 = 1'],
  ['4(x-1/2)=6', '4(x - 1/2) = 6'],
  ['2/3(x+1)=4', '2/3 * (x + 1) = 4'],
  ['x^2/2+1=3', 'x^2/2 + 1 = 3'],
  ['2^3/4', '2^3/4'],
  ['3x/4+1/2=2', '3x/4 + 1/2 = 2'],
  ['x/2/3=4', '(x/2)/3 = 4'],
  ['1/sqrt(2)', 'simplify: 1/sqrt(2)'],
  ['x=sqrt(5)/2', 'x = sqrt(5)/2'],
  ['3x^2/4-1=2', '3x^2/4 - 1 = 2'],
  ['1/x^2+3=4', '1/x^2 + 3 = 4'],
  ['-2^2+1', '-2^2 + 1'],
  ['3:4+1', '3/4 + 1'],
  ['1/2 + 1/3 = x', '1/2 + 1/3 = x'],
  ['1/(2x)=3', '1/(2x) = 3'],
  ['(x+2)/(x-1)=2', '(x + 2)/(x - 1) = 2'],
  ['2/3 x = 4', '2/3 * x = 4'],
  ['1 1/2 * 2/3', '1 1/2 * 2/3'],
  ['7.5/2.5+1', '7.5/2.5 + 1'],
  ['x/100-0.5=1', 'x/100 - 0.5 = 1'],
  ['2/3*(x+1)=4', '2/3 * (x + 1) = 4'],
  ['5%*40', '5/100 * 40'],
  ['x = 2 or x = 3', 'x = 2 or x = 3'],
  ['x=1/3 or x=-1/2', 'x = 1/3 or x = -1/2'],
  ['24/(2+2)-1', '24/(2 + 2) - 1'],
  ['1/2*x=3', '1/2 * x = 3'],
  ['1/2x^2=8', '1/2 * x^2 = 8'],
];

/** Empties the field for formulas, which has the focus then. */
async function emptyField(page) {
  const field = page.locator('math-field');
  await field.focus();
  await page.waitForFunction(() => document.querySelector('math-field')?.hasFocus());
  await field.evaluate((element) => element.executeCommand('selectAll'));
  await page.keyboard.press('Backspace');
  await page.locator('.understood').waitFor({state: 'detached'});
}

const understood = (page, state) =>
  page.waitForFunction((wanted) => document.querySelector('.understood')?.dataset.state === wanted, state).catch(() => undefined);

test(`${inputs.length} inputs of school books`, async () => {
  const {page, errors, context} = await session.visit();
  await page.locator('math-field').waitFor();
  const wrong = [];
  for (const [keys, state] of inputs) {
    await emptyField(page);
    await typeKeys(page, keys);
    await understood(page, state);
    const found = await page.locator('.understood').getAttribute('data-state', {timeout: 1000}).catch(() => null);
    if (found !== state) wrong.push({keys, state, found, field: await page.locator('math-field').evaluate((field) => field.value)});
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a sum of fractions is solved as one', async () => {
  const {page, errors, context} = await session.visit();
  await enterLine(page, '3 / 4 + 2 / 5');
  await page.locator('.line.given').waitFor();
  await enterLine(page, '15/20+8/20');
  await page.locator('.line.right').waitFor();
  await enterLine(page, '23/20');
  await page.getByRole('heading', {name: 'Solved!'}).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('who moves the caret into a denominator writes there', async () => {
  const {page, context} = await session.visit();
  await page.locator('math-field').waitFor();
  await emptyField(page);
  await typeKeys(page, '1/2');
  for (const key of ['ArrowRight', 'ArrowLeft']) await page.keyboard.press(key);
  await typeKeys(page, '+3');
  await understood(page, '1/(2 + 3)');
  assert.equal(await page.locator('.understood').getAttribute('data-state'), '1/(2 + 3)');
  await context.close();
});

test('the keys on the screen of a phone leave a fraction, too', async () => {
  const {page, errors, context} = await session.visit('', {viewport: {width: 412, height: 860}, isMobile: true, hasTouch: true});
  await page.locator('math-field').tap();
  const key = (sign) => page.locator('.MLK__keycap:visible').filter({hasText: new RegExp(`^${sign}`)}).first();
  await key('3').waitFor();
  for (const sign of ['3', '▢■', '4', '\\+', '2']) await key(sign).tap();
  await understood(page, '3/4 + 2');
  assert.equal(await page.locator('.understood').getAttribute('data-state'), '3/4 + 2');
  assert.deepEqual(errors, []);
  await context.close();
});
