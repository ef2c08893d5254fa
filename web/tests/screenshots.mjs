// Writes a picture of each view, in light, dark and on a phone: node tests/screenshots.mjs DIR

import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {enterLine, openBrowser} from './page/harness.mjs';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: npm run screenshots -- DIR');
  process.exit(2);
}
await mkdir(folder, {recursive: true});

async function work(page) {
  await enterLine(page, '(3x+8)/5=4');
  await page.locator('.line.given').waitFor();
  await enterLine(page, '3x+8=20');
  await page.locator('.line.right').waitFor();
  await page.keyboard.press('Alt+h');
  await page.locator('.hints li').waitFor();
  await page.keyboard.press('Alt+h');
  await page.locator('.hints li').nth(1).waitFor();
  await enterLine(page, '3x=28');
  await page.locator('.line.wrong').waitFor();
}

async function solution(page) {
  await enterLine(page, '(3x+8)/5=(x-2)/4');
  await page.getByRole('button', {name: 'Show the solution'}).click();
  await page.locator('.solution-steps > ol > li').waitFor();
  await page.getByRole('button', {name: 'All steps'}).click();
  await page.locator('.conclusion').waitFor();
  await page.locator('.axioms summary').nth(2).click();
}

const example = (name, ready) => async (page) => {
  await page.getByRole('button', {name}).click();
  await page.locator(ready).first().waitFor();
};

const views = [
  {name: 'start', route: '#/', ready: 'math-field'},
  {name: 'work', route: '#/', act: work},
  {name: 'solution', route: '#/', act: solution},
  {name: 'fraction', route: '#/', act: example('Fractions', '.line.given')},
  {name: 'sorting', route: '#/', act: example('Sorting', '.work-picture button')},
  {name: 'cube', route: '#/', act: example('Cube', '.work-picture button')},
  {name: 'practice', route: '#/practice', ready: '.skill'},
  {name: 'exercise', route: '#/practice/brackets/1', ready: '.line.given'},
  {name: 'teach', route: '#/teach', ready: 'h1'},
  {name: 'research', route: '#/research', ready: 'h1'},
  {name: 'about', route: '#/about', ready: 'article'},
];

const kinds = [
  {name: 'light', options: {colorScheme: 'light'}},
  {name: 'dark', options: {colorScheme: 'dark'}},
  {name: 'phone', options: {colorScheme: 'light', viewport: {width: 390, height: 844}, isMobile: true, hasTouch: true, deviceScaleFactor: 2}},
];

const session = await openBrowser();
for (const kind of kinds) {
  for (const {name, route, ready, act} of views) {
    const {page, context} = await session.newPage({...kind.options, reducedMotion: 'reduce'});
    await page.goto(session.url + route);
    if (ready !== undefined) await page.locator(ready).first().waitFor();
    if (act !== undefined) await act(page);
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(400); // Pictures come to rest.
    const path = join(folder, `${name}-${kind.name}.png`);
    await page.screenshot({path, fullPage: kind.name !== 'phone'});
    console.log(path);
    await context.close();
  }
}
await session.close();
