// People who share a computer, and the tour of the first screen.

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {becomes, enterLine, openBrowser, violations} from './harness.mjs';

let session;
before(async () => (session = await openBrowser()));
after(() => session.close());

/** Works on a problem of one's own, and goes back to the start. */
async function work(page, problem) {
  await enterLine(page, problem);
  await page.locator('.line.given').waitFor();
  await page.getByRole('button', {name: 'New problem'}).click();
  await page.getByRole('heading', {name: 'Your last problems'}).waitFor();
}

async function become(page, button) {
  await page.locator('.preferences a').click();
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', {name: button, exact: true}).click()]);
  await page.locator('.start').waitFor();
}

const past = async (page) => (await page.locator('.history li').allInnerTexts()).map((text) => text.normalize('NFKC').replace(/[\s\u2062]/g, ''));

test('people at one computer have places of their own', async () => {
  const {page, context, errors} = await session.visit();
  await work(page, '2x=8');
  await page.getByRole('link', {name: 'Who works here?'}).click();
  await page.getByText('Now: whoever sits here').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByLabel('A new name or nickname').fill('Ada');
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', {name: 'Make a place'}).click()]);
  await page.getByRole('link', {name: 'Ada'}).waitFor();
  await becomes(() => past(page), []);
  await work(page, '3x=9');
  assert.deepEqual(await violations(page), []);
  await become(page, 'Work without a name');
  await becomes(() => past(page), ['2x=8']);
  await become(page, 'Work as Ada');
  await becomes(() => past(page), ['3x=9']);

  // A guest leaves nothing, and another tab begins without a name.
  await become(page, 'Work as a guest');
  await work(page, '5x=10');
  const tab = await context.newPage();
  await tab.goto(session.url);
  await tab.locator('.history').waitFor();
  await becomes(() => past(tab), ['2x=8']);
  assert.ok(!(await tab.evaluate(() => JSON.stringify(localStorage))).includes('5x'));
  await tab.close();

  await become(page, 'Work as Ada');
  await page.locator('.preferences a').click();
  await page.getByRole('button', {name: 'Delete all of Ada'}).click();
  await page.getByText('That cannot be undone.').waitFor();
  assert.deepEqual(await violations(page), []);
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', {name: 'Delete all of Ada'}).click()]);
  await page.locator('.start').waitFor();
  await becomes(() => past(page), ['2x=8']);
  assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes('3x'));
  await page.locator('.preferences a').click();
  await page.getByRole('button', {name: 'Delete everything'}).click();
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', {name: 'Delete everything'}).click()]);
  await page.locator('.start').waitFor();
  await becomes(() => past(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test('the tour shows in twenty seconds what the page does', async () => {
  const {page, context, errors} = await session.newPage({reducedMotion: 'no-preference'});
  await page.clock.install({time: 0});
  await page.goto(session.url);
  const begin = page.getByRole('button', {name: 'How it works, in 20 seconds'});
  await begin.waitFor();
  await page.clock.pauseAt(3_600_000); // From here on the page's time passes as the test says, however busy the machine is.
  await begin.click();
  const caption = page.locator('.tour-caption');
  await becomes(async () => (await page.clock.runFor(20), await caption.allInnerTexts()), ['You type a problem.']);
  const scenes = [
    [/You write your next line/, '.tour .line.right'],
    [/you are told why/, '.tour .line.wrong'],
    [/a hint helps/, '.tour-hint'],
  ];
  for (const [said, element] of scenes) {
    await page.clock.runFor(5100);
    await caption.filter({hasText: said}).waitFor();
    await page.locator(element).waitFor();
  }
  await page.getByRole('button', {name: 'Scene 3'}).click();
  await page.locator('.tour .line.wrong').waitFor();
  await page.clock.runFor(20_000); // Whoever chose a scene stays there.
  await page.locator('.tour .line.wrong').waitFor();
  await page.clock.resume();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', {name: 'Scene 1'}).click();
  await page.getByText('You type a problem.').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', {name: 'Try it yourself'}).click();
  await page.locator('.line.given').waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});
