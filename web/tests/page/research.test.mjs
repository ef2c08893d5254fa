// What researchers see: the policy's probabilities, the search tree, the map.

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {becomes, openBrowser, violations} from './harness.mjs';

let session;
before(async () => (session = await openBrowser()));
after(() => session.close());

const visit = (route, options) => session.visit(route, options);

test('the policy is followed from the problem to the answer, and back', async () => {
  const {page, errors, context} = await visit('research');
  const steps = page.locator('.policy-step');
  await steps.first().waitFor();
  const shares = (await page.locator('.policy-percent').allInnerTexts()).map((text) => parseFloat(text.replace('<', '')));
  assert.ok(shares[0] > 50, String(shares));
  assert.deepEqual(shares, [...shares].sort((a, b) => b - a));
  assert.deepEqual(await violations(page), []);

  const solved = page.getByText('This line is solved.');
  const path = page.locator('.policy-path li');
  for (let length = 1; length < 30 && (await solved.count()) === 0; ++length) {
    await page.getByRole('button', {name: 'Take the likeliest step'}).click();
    await path.nth(length).waitFor();
    await steps.first().or(solved).waitFor();
    await page.waitForFunction(() => document.querySelector('.waiting')?.childElementCount === 0);
  }
  assert.match((await path.last().innerText()).normalize('NFKC').replace(/\s/g, ''), /x=2$/);
  const length = await path.count();
  await page.getByRole('button', {name: 'One step back'}).click();
  await steps.first().waitFor();
  await becomes(() => path.count(), length - 1);
  assert.deepEqual(errors, []);
  await context.close();
});

test('another domain brings its own example, and what cannot be read is explained', async () => {
  const {page, context} = await visit('research');
  await page.getByLabel('Domain').selectOption('sorting');
  await page.getByRole('button', {name: 'Show', exact: true}).click();
  await page.locator('.policy-step').getByText('Swap the bars').first().waitFor();
  await page.getByRole('textbox', {name: 'Problem'}).fill('hello!');
  await page.keyboard.press('Enter');
  await page.locator('.notice.wrong').waitFor();
  await context.close();
});

test('the search tree has the solution, and is walked with arrow keys', async () => {
  const {page, errors, context} = await visit('research/tree');
  const items = page.getByRole('treeitem');
  const solved = page.getByText(/^Solved\. \d+ states were scored/);
  const wide = await solved.innerText();
  await page.getByLabel('Width of the beam').selectOption('2');
  await becomes(async () => (await solved.allInnerTexts()).some((text) => text !== wide), true);
  assert.ok((await page.locator('.tree-node.tree-solution').count()) > 3);
  const few = await items.count();
  await page.getByLabel('Rejected states shown').selectOption('All');
  await page.waitForFunction((count) => document.querySelectorAll('[role=treeitem]').length > count, few);
  await page.getByLabel('Rejected states shown').selectOption('None');
  await page.waitForFunction((count) => document.querySelectorAll('[role=treeitem]').length < count, few);

  const level = () => page.evaluate(() => Number(document.activeElement?.getAttribute('aria-level')));
  await items.first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await becomes(level, 3);
  const details = async (wanted) => wanted.test(await page.locator('.node-details').innerText());
  await becomes(() => details(/On the way to the solution[^]*Score\s+-?\d/), true);
  await page.keyboard.press('ArrowDown');
  await becomes(level, 3);
  await becomes(() => details(/Kept in the beam/), true);
  await page.keyboard.press('ArrowLeft');
  await becomes(level, 2);
  await page.keyboard.press('Home');
  await becomes(level, 1);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test('every edge of the tree begins at a state and ends at one', async () => {
  const {page, context} = await visit('research/tree');
  await page.getByText(/^Solved\. \d+ states were scored/).waitFor();
  const {marks, edges} = await page.evaluate(() => {
    const plane = document.querySelector('.tree-plane').getBoundingClientRect();
    const marks = [...document.querySelectorAll('.tree-mark')].map((mark) => {
      const box = mark.getBoundingClientRect();
      return [box.x + box.width / 2 - plane.x, box.y + box.height / 2 - plane.y];
    });
    const edges = [...document.querySelectorAll('.tree-edge')].map((edge) => {
      const [begin, end] = [edge.getPointAtLength(0), edge.getPointAtLength(edge.getTotalLength())];
      return [begin.x, begin.y, end.x + 8, end.y];
    });
    return {marks, edges};
  });
  const isMark = (x, y) => marks.some(([markX, markY]) => Math.hypot(x - markX, y - markY) < 2);
  assert.equal(edges.length, marks.length - 1);
  assert.deepEqual(edges.filter(([x1, y1, x2, y2]) => !isMark(x1, y1) || !isMark(x2, y2)), []);
  await context.close();
});

test('the map has a point per exercise, is walked and zoomed by keyboard, and is a table too', async () => {
  const {page, errors, context} = await visit('research/map');
  await page.getByRole('combobox', {name: 'Exercises'}).selectOption('own');
  await page.getByLabel('Problems, one per line').fill(['2x + 3 = 7', '5x - 1 = 9', 'x + 4 = 6', '3(x - 2) = 9', 'x/2 = 5'].join('\n'));
  await page.getByRole('button', {name: 'Draw the map'}).click();
  const points = page.getByRole('option', {includeHidden: false}).and(page.locator('.point'));
  await points.nth(4).waitFor();
  assert.equal(await points.count(), 5);

  const plane = page.locator('.scatter-plane');
  const chosen = () => page.evaluate(() => document.activeElement?.getAttribute('data-point'));
  await points.first().focus();
  const visited = new Set([await chosen()]);
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
    await page.keyboard.press(key);
    visited.add(await chosen());
  }
  assert.ok(visited.size > 1);
  const frame = await plane.getAttribute('viewBox');
  await page.keyboard.press('+');
  await becomes(async () => (await plane.getAttribute('viewBox')) !== frame, true);
  await page.keyboard.press('0');
  await becomes(() => plane.getAttribute('viewBox'), '0 0 800 560');

  await page.getByText('The same as a table').click();
  assert.equal(await page.locator('.point-table tbody tr').count(), 5);
  assert.match(await page.locator('.point-table').innerText(), /5x - 1 = 9/);
  await page.getByText(/The two axes explain .*%/).waitFor();
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test('the map of a domain has its skills in groups that can be hidden', async () => {
  const {page, context} = await visit('research/map');
  await page.getByLabel('Per skill and level').selectOption('1');
  await page.getByRole('button', {name: 'Draw the map'}).click();
  const points = page.locator('.scatter-plane .point');
  await points.nth(20).waitFor();
  const all = await points.count();
  await page.locator('.legend').getByRole('button', {name: 'one step'}).click();
  await becomes(async () => (await points.count()) < all, true);
  await context.close();
});

for (const colorScheme of ['light', 'dark']) {
  test(`the researcher's views have no violations in German and ${colorScheme}`, async () => {
    const {page, context} = await visit('research', {locale: 'de-DE', colorScheme});
    await page.locator('.policy-step').first().waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole('link', {name: 'Suchbaum'}).click();
    await page.getByRole('treeitem').first().waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole('link', {name: 'Karte der Aufgaben'}).click();
    await page.getByRole('button', {name: 'Karte zeichnen'}).waitFor();
    assert.deepEqual(await violations(page), []);
    await context.close();
  });
}
