// A domain file is written and tried: errors with their places, problems, steps, walks, solutions, links.

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {announces, openBrowser, violations} from './harness.mjs';

let session;
before(async () => (session = await openBrowser()));
after(() => session.close());

const editor = (page) => page.getByRole('textbox', {name: 'Domain file'});
const runs = (page) => page.getByText('No errors.').waitFor();

/** Replaces a part of the file, as somebody who types it anew. */
async function edit(page, from, to) {
  const text = await editor(page).inputValue();
  assert.ok(text.includes(from), from);
  await editor(page).fill(text.replace(from, to));
}

test('six files of the gallery run, each with problems and steps', async () => {
  const {page, errors, context} = await session.visit('playground');
  const menu = page.getByLabel('Begin with');
  await menu.waitFor();
  const names = await menu.locator('option').evaluateAll((options) => options.map((option) => option.value));
  assert.equal(names.length, 6);
  for (const name of names) {
    await menu.selectOption(name);
    await page.waitForFunction((wanted) => document.querySelector('textarea')?.value.startsWith('domain') && location.hash.endsWith(wanted), name);
    await runs(page);
    await page.locator('.successors button').first().waitFor();
    const problem = await page.locator('.walk .here code').innerText();
    await page.getByRole('button', {name: 'Another problem'}).click();
    await page.waitForFunction((before) => document.querySelector('.walk .here code')?.innerText !== before, problem);
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test('errors come while one types, with a line and a column that lead there', async () => {
  const {page, errors, context} = await session.visit('playground/sums');
  await runs(page);
  await edit(page, 'rule multiply', 'rul multiply');
  const finding = page.locator('.findings li');
  await finding.getByText("unknown statement 'rul'; did you mean 'rule'?").waitFor();
  await finding.getByRole('button', {name: 'Line 13, column 1'}).click();
  const marked = await editor(page).evaluate((field) => field.value.slice(field.selectionStart).split('\n')[0]);
  assert.match(marked, /^rul multiply/);
  assert.equal(await page.locator('.tryout').count(), 0);
  assert.deepEqual(await violations(page), []);

  await edit(page, 'rul multiply', 'rule multiply');
  await runs(page);
  await edit(page, 'rule add a + b -> [a + b]', 'rule add a + b -> [a - b]');
  await finding.getByRole('button', {name: /^Line 9, column \d+$/}).waitFor(); // a counterexample
  await page.getByRole('button', {name: 'Back to the original'}).click();
  await runs(page);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a walk by choosing steps, back, and from a problem of one’s own to a goal', async () => {
  const {page, errors, context} = await session.visit('playground/sums');
  await page.getByLabel('A problem of your own').fill('2 * (1 + 3)');
  await page.getByRole('button', {name: 'Start here'}).click();
  const here = page.locator('.walk .here code');
  await page.locator('.successors').getByText('2 * 4', {exact: true}).click();
  await page.waitForFunction(() => document.querySelector('.walk .here code')?.innerText === '2 * 4');
  await page.getByRole('button', {name: 'One step back'}).click();
  await page.locator('.successors').getByText('2 * 4', {exact: true}).click();
  await page.locator('.successors').getByText('8', {exact: true}).click();
  await page.locator('.tryout').getByText('Solved: this is a goal.').waitFor();
  assert.equal(await here.innerText(), '8');
  assert.match(await page.locator('.walk').innerText(), /Add 1 and 3\.[^]*Multiply 2 by 4\./);
  await page.getByLabel('A problem of your own').fill('2 * (');
  await page.getByRole('button', {name: 'Start here'}).click();
  await page.locator('.tryout .trouble').waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('flat puzzles are drawn', async () => {
  const {page, errors, context} = await session.visit('playground/lights-out');
  const isDrawn = () =>
    page.waitForFunction(() => {
      const cells = [...document.querySelectorAll('.tryout .grid-cell')].map((cell) => cell.textContent || '.');
      return cells.length === 16 && cells.join('') === document.querySelector('.walk .here code')?.innerText.replaceAll('/', '');
    });
  await isDrawn();
  await page.locator('.successors button').first().click();
  await page.waitForFunction(() => document.querySelectorAll('.walk li').length === 2);
  await isDrawn();
  assert.match(await page.locator('.grid-picture').getAttribute('aria-label'), /^Puzzle, row by row: /);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a search solves', async () => {
  const {page, errors, context} = await session.visit('playground/water-jugs');
  await page.getByLabel('A problem of your own').fill('J(0, 0)');
  await page.getByRole('button', {name: 'Start here'}).click();
  await page.waitForFunction(() => document.querySelector('.walk .here code')?.innerText === 'J(0, 0)');
  await page.getByRole('button', {name: 'Solve by search'}).click();
  await page.locator('.tryout').getByText(/Found in \d+ steps/).waitFor();
  assert.match(await page.locator('.found code').last().innerText(), /^J\(4, \d\)$/);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a file is shared as a link, and changes stay after a reload', async () => {
  const maker = await session.visit('playground/water-jugs', {permissions: ['clipboard-read', 'clipboard-write']});
  await runs(maker.page);
  await edit(maker.page, 'Measure four litres', 'Measure it – ¼ of 16');
  await maker.page.reload();
  await runs(maker.page);
  const text = await editor(maker.page).inputValue();
  assert.match(text, /¼ of 16/);
  await maker.page.getByRole('button', {name: 'Copy link'}).click();
  await announces(maker.page, 'The link was copied.');
  const address = await maker.page.evaluate(() => navigator.clipboard.readText());
  await maker.context.close();

  const {page, errors, context} = await session.newPage();
  await page.goto(address);
  await runs(page);
  assert.equal(await editor(page).inputValue(), text);
  await page.goto(`${session.url}#/playground/${address.split('/').at(-1).slice(0, -5)}`);
  await page.getByRole('alert').getByText('This link holds no domain file').waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});
