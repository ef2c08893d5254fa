// A problem has an address: the browser's own buttons, links that people pass on, and the list of what was worked on.

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {announces, becomes, enterLine, openBrowser, violations} from './harness.mjs';

let session;
before(async () => (session = await openBrowser()));
after(() => session.close());

const atHash = (page, hash) => page.waitForFunction((wanted) => decodeURIComponent(location.hash) === wanted, hash);
const givenIs = (page, speech) => page.locator('.line.given').getByRole('math', {name: speech}).waitFor();

test('back and forward lead from problem to problem, with the work on each', async () => {
  const {page, errors, context} = await session.visit();
  await enterLine(page, '2x+3=7');
  await atHash(page, '#/solve/algebra/2x + 3 = 7');
  await enterLine(page, '2x=4');
  await page.locator('.line.right').waitFor();
  await page.getByRole('button', {name: 'New problem'}).click();
  await enterLine(page, 'x/2-3=7');
  await atHash(page, '#/solve/algebra/x/2 - 3 = 7');
  await becomes(() => page.title(), 'x/2 - 3 = 7 · conpole');
  await givenIs(page, 'x over 2 minus 3 equals 7');
  await page.goBack();
  await page.getByRole('heading', {name: 'What are you working on?'}).waitFor();
  await page.goBack();
  await givenIs(page, '2 x plus 3 equals 7');
  await becomes(() => page.locator('.line.right').count(), 1);
  await page.goForward();
  await page.goForward();
  await givenIs(page, 'x over 2 minus 3 equals 7');
  await becomes(() => page.locator('.line.right').count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a link leads another visitor to the problem, or to its solution', async () => {
  const maker = await session.visit('', {permissions: ['clipboard-read', 'clipboard-write']});
  await enterLine(maker.page, '3/4+2/5');
  await maker.page.getByRole('button', {name: 'Copy link', exact: true}).click();
  await announces(maker.page, 'The link was copied.');
  const problem = await maker.page.evaluate(() => navigator.clipboard.readText());
  await maker.page.getByRole('button', {name: 'Copy link to the solution'}).click();
  await maker.page.waitForFunction(async (before) => (await navigator.clipboard.readText()) !== before, problem);
  const solution = await maker.page.evaluate(() => navigator.clipboard.readText());
  await maker.context.close();

  const {page, errors, context} = await session.newPage();
  await page.goto(problem);
  await givenIs(page, '3 over 4 plus 2 over 5');
  assert.equal(await page.locator('.solution-steps').count(), 0);
  await page.goto(solution);
  await page.locator('.conclusion').waitFor();
  assert.match(await page.locator('.conclusion').innerText(), /23[^]*20/);
  assert.deepEqual(errors, []);
  await context.close();
});

for (const [rest, speech] of [
  ['1/2+1/3', '1 over 2 plus 1 over 3'],
  ['25% of 80', '25 over 100 times 80'],
  ['fractions/1/2+1/3', '1 over 2 plus 1 over 3'],
]) {
  test(`an address that was written by hand: ${rest}`, async () => {
    const {page, context} = await session.visit(`solve/${rest}`);
    await givenIs(page, speech);
    await context.close();
  });
}

test('an address of what is no problem says why', async () => {
  const {page, context} = await session.visit('solve/2x + = 4');
  await page.getByRole('alert').getByText("found '='").waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', {name: 'New problem'}).click();
  await page.getByRole('heading', {name: 'What are you working on?'}).waitFor();
  await context.close();
});

test('the last problems are listed, with those that are solved, until they are forgotten', async () => {
  const {page, errors, context} = await session.visit();
  await enterLine(page, 'x+1=3');
  await page.locator('.line.given').waitFor();
  await enterLine(page, 'x=2');
  await page.getByRole('heading', {name: 'Solved!'}).waitFor();
  await page.getByRole('button', {name: 'New problem'}).click();
  await enterLine(page, '2x=8');
  await page.locator('.line.given').waitFor();
  await page.getByRole('button', {name: 'New problem'}).click();
  const past = page.locator('.history a');
  await past.nth(1).waitFor();
  assert.deepEqual(await past.locator('.formula').evaluateAll((formulas) => formulas.map((formula) => formula.ariaLabel)), ['2 x equals 8', 'x plus 1 equals 3']);
  assert.equal(await past.nth(1).locator('.icon').count(), 1);
  assert.equal(await past.nth(0).locator('.icon').count(), 0);
  assert.deepEqual(await violations(page), []);
  await past.nth(1).click();
  await page.getByRole('heading', {name: 'Solved!'}).waitFor();
  await page.goBack();
  await page.getByRole('button', {name: 'Forget them'}).click();
  await becomes(() => page.locator('.history').count(), 0);
  assert.equal(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('learner.')).length), 0);
  assert.deepEqual(errors, []);
  await context.close();
});
