// Pictures that can be worked with: bars by keyboard and by mouse, the cube by stickers and by turns, fractions as strips.

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {becomes, focused, openBrowser, violations} from './harness.mjs';

/** Types a line as text, and presses Enter. */
async function typeLine(page, text) {
  await page.getByRole('button', {name: 'Text', exact: true}).click();
  await page.locator('.text-field').fill(text);
  await page.locator('.text-field').press('Enter');
}

let session;
before(async () => (session = await openBrowser()));
after(() => session.close());

const visit = (options) => session.visit('', options);

async function begin(page, problem) {
  await typeLine(page, problem);
  await page.locator('.line.given').waitFor();
}

const values = (page) => page.locator('.bar-value').allInnerTexts();

for (const reducedMotion of ['no-preference', 'reduce']) {
  test(`bars are sorted by keyboard alone, with motion ${reducedMotion}`, async () => {
    const {page, errors, context} = await visit({reducedMotion});
    await begin(page, '[3, 1, 2]');
    const bars = page.locator('.bars-row button');
    await bars.first().waitFor();
    await bars.first().focus();
    await page.keyboard.press('Space');
    await becomes(() => bars.first().getAttribute('aria-pressed'), 'true');
    await page.keyboard.press('ArrowRight');
    await page.locator('.line.right').nth(0).waitFor();
    await becomes(() => values(page), ['1', '3', '2']);
    await becomes(async () => /Bar 2 of 3: 3/.test(await focused(page, 'aria-label')()), true);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', {name: 'Solved!'}).waitFor();
    await becomes(() => values(page), ['1', '2', '3']);
    assert.deepEqual(errors, []);
    await context.close();
  });
}

test('keys that come faster than the engine answers are not lost', async () => {
  const {page, context} = await visit();
  await begin(page, '[4, 1, 2, 3]');
  await page.locator('.bars-row button').first().focus();
  await page.keyboard.press('Space');
  for (let press = 0; press < 3; ++press) await page.keyboard.press('ArrowRight');
  await page.getByRole('heading', {name: 'Solved!'}).waitFor();
  assert.equal(await page.locator('.line.right').count(), 3);
  await context.close();
});

test('whoever is faster than the page keeps the focus', async () => {
  const {page, context} = await visit();
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const bar = document.querySelector('.bars-row button');
      if (bar === null) return;
      observer.disconnect();
      bar.focus();
    }).observe(document.body, {childList: true, subtree: true});
  });
  await begin(page, '[4, 1, 2, 3]');
  await page.locator('.bars-actions button').first().waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.parentElement?.className), 'bars-row');
  await context.close();
});

test('two neighbours are clicked, or the list is turned round', async () => {
  const {page, errors, context} = await visit();
  await begin(page, '[3, 2, 1, 4]');
  const bar = (place) => page.locator('.bars-row button').nth(place);
  await bar(0).click();
  await bar(3).click();
  await page.getByTestId('announcer').getByText('Only neighbours change places').waitFor();
  await page.keyboard.press('Escape');
  await bar(0).click();
  await bar(1).click();
  await page.locator('.line.right').waitFor();
  await becomes(() => values(page), ['2', '3', '1', '4']);
  await page.locator('.bars-actions button').click();
  await page.locator('.line.right, .line.warned').nth(1).waitFor();
  await becomes(() => values(page), ['4', '1', '3', '2']);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a scrambled cube is turned back on its picture', async () => {
  const {page, errors, context} = await visit();
  await begin(page, "R U'");
  const cube = page.locator('.cube-scene');
  await cube.waitFor();
  assert.match(await cube.getAttribute('aria-label'), /of 54 stickers in place/);
  await page.locator('.turn-buttons').getByText('U', {exact: true}).click();
  await page.locator('.line.right').waitFor();
  await page.getByRole('button', {name: 'Unfolded'}).click();
  await page.locator('.cube-net').waitFor();
  assert.equal(await page.locator('.cube-net .sticker').count(), 54);
  assert.deepEqual(await violations(page), []);
  await page.locator('.turn-buttons').getByText("R'", {exact: true}).click();
  await page.getByRole('heading', {name: 'Solved!'}).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('a cube is entered by stickers and turns, and an impossible one is named as such', async () => {
  const {page, context} = await visit();
  await page.getByText('Enter the cube in your hands').click();
  const use = page.getByRole('button', {name: 'Use this cube'});
  await page.locator('.cube-entry').waitFor();
  assert.ok(await use.isDisabled());

  // With the keyboard, the front's upper edge becomes white and the upper face's lower edge green: an edge is flipped.
  const sticker = (name) => page.getByRole('button', {name});
  await sticker('Up, row 3, column 2: white').focus();
  await page.keyboard.press('g');
  await page.getByText('A cube has nine of each colour. white: 8, green: 10').waitFor();
  assert.ok(await use.isDisabled());
  await page.keyboard.press('ArrowDown');
  await becomes(focused(page, 'aria-label'), 'Front, row 1, column 2: green');
  await page.keyboard.press('w');
  await page.getByText('Each colour is there nine times.').waitFor();
  await use.click();
  assert.match(await page.locator('.cube-start .trouble').innerText(), /flipped/);
  assert.deepEqual(await violations(page), []);

  await page.getByRole('button', {name: 'Solved cube'}).click();
  await page.getByLabel('Turns', {exact: true}).fill('R x');
  await page.keyboard.press('Enter');
  await page.getByText('Character 3 is no turn of a face.').waitFor();
  await page.getByLabel('Turns', {exact: true}).fill("R U' F2");
  await page.keyboard.press('Enter');
  // All three turns are made, one after another: a half turn of the front brings the lower face's row up.
  await sticker('Up, row 3, column 3: yellow').waitFor();
  await page.getByRole('button', {name: 'F, Front clockwise'}).click();
  await use.click();
  await page.locator('.line.given').waitFor();
  await context.close();
});

test('fractions are seen as strips', async () => {
  const {page, errors, context} = await visit();
  await begin(page, '1/2 + 1/3');
  const picture = page.locator('.fractions');
  await picture.waitFor();
  assert.match(await picture.getAttribute('aria-label'), /1 of 2 parts, plus 1 of 3 parts/);
  assert.equal(await picture.locator('.strip').count(), 2);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a linear equation is a balance, for those who want one', async () => {
  const {page, errors, context} = await visit();
  await begin(page, '2x + 3 = 7');
  const balance = page.locator('details.balance');
  await balance.locator('summary').waitFor();
  assert.equal(await balance.getAttribute('open'), null);
  await balance.locator('summary').click();
  const picture = balance.getByRole('img');
  assert.equal(await picture.getAttribute('aria-label'), 'A balance. On the left: 2 times x and 3 times one. On the right: 0 times x and 7 times one. Both weigh the same.');
  const counts = async () => [await balance.locator('.balance-unknown').count(), await balance.locator('.balance-one').count()];
  await becomes(counts, [2, 10]);
  assert.deepEqual(await violations(page), []);
  // It follows the lines, and stays open, also for the next problem.
  await typeLine(page, '2x = 4');
  await page.locator('.line.right').waitFor();
  await becomes(counts, [2, 4]);
  await page.getByRole('button', {name: 'New problem'}).click();
  await begin(page, 'x + 1 = 5');
  await balance.getByRole('img').waitFor();
  // What cannot be counted has none.
  await page.getByRole('button', {name: 'New problem'}).click();
  await begin(page, '2x - 3 = 7');
  assert.equal(await balance.count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});
