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

async function makeSet(page) {
  await page.getByLabel('Title').fill('Equations for Monday');
  await page.getByLabel('Problems, one per line').fill(['2x + 3 = 7', '1/2 + 1/3', '[3, 1, 2]', "R U R'"].join('\n'));
  await page.getByRole('button', {name: 'Check and add'}).click();
  await page.getByRole('button', {name: 'By skill'}).click();
  await page.getByLabel('Skill').selectOption('brackets');
  await page.getByRole('button', {name: 'Make and add'}).click();
  await page.locator('.item').nth(7).locator('.formula').waitFor();
}

async function openSet(page) {
  await makeSet(page);
  await page.getByRole('link', {name: 'Open as pupils see it'}).click();
  await page.getByRole('button', {name: 'Exercise 3'}).click();
  await page.locator('.bars-row button').first().waitFor();
}

async function enterCube(page) {
  await page.getByText('Enter the cube in your hands').click();
  await page.getByLabel('Turns', {exact: true}).fill("R U R' U'");
  await page.keyboard.press('Enter');
}

async function followPolicy(page) {
  await page.locator('.policy-step').first().waitFor();
  await page.getByRole('button', {name: 'Take the likeliest step'}).click();
  await page.locator('.policy-path li').nth(1).waitFor();
  await page.locator('.policy-step').first().waitFor();
}

async function drawMap(page) {
  await page.getByLabel('Per skill and level').selectOption('2');
  await page.getByRole('button', {name: 'Draw the map'}).click();
  await page.locator('.scatter-plane').waitFor();
}

const views = [
  {name: 'start', route: '#/', ready: 'math-field'},
  {name: 'work', route: '#/', act: work},
  {name: 'solution', route: '#/', act: solution},
  {name: 'fraction', route: '#/', act: example('Fractions', '.line.given')},
  {name: 'sorting', route: '#/', act: example('Sorting', '.work-picture button')},
  {name: 'cube', route: '#/', act: example('Cube', '.work-picture button')},
  {name: 'practice', route: '#/practice', ready: '.skill'},
  {name: 'exercise', route: '#/practice/brackets/1', ready: '.line.given'},
  {name: 'cube-entry', route: '#/', act: enterCube},
  {name: 'teach', route: '#/teach', act: makeSet},
  {name: 'set', route: '#/teach', act: openSet},
  {name: 'policy', route: '#/research', act: followPolicy},
  {name: 'tree', route: '#/research/tree', ready: '[role=treeitem]'},
  {name: 'map', route: '#/research/map', act: drawMap},
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
