// Whether everybody can use it: axe-core in every view and mode; the keyboard; small screens; reduced motion.

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {becomes, enterLine, focused, openBrowser, violations} from './harness.mjs';

let session;
before(async () => (session = await openBrowser()));
after(() => session.close());

const views = [
  {name: 'start', route: '#/', ready: 'math-field'},
  {name: 'practice', route: '#/practice', ready: '.skill'},
  {name: 'exercise', route: '#/practice/brackets/1', ready: '.line.given'},
  {name: 'about', route: '#/about', ready: 'article'},
  {name: 'teach', route: '#/teach', ready: '.teach-set'},
  {name: 'research', route: '#/research', ready: '.policy-step'},
  {name: 'playground', route: '#/playground', ready: '.successors'},
  {name: 'people', route: '#/people', ready: 'main h1'},
  {name: 'a solution', route: '#/solution/x^2 = 2x + 3', ready: '.conclusion'},
  {name: 'a set that is none', route: '#/set/x', ready: '.notice h1'},
  {name: 'not found', route: '#/nowhere', ready: '.notice'},
];

const modes = {
  light: {colorScheme: 'light'},
  dark: {colorScheme: 'dark'},
  'phone, German': {viewport: {width: 360, height: 740}, isMobile: true, hasTouch: true, locale: 'de-DE'},
  'forced colours, French': {forcedColors: 'active', locale: 'fr-FR'},
};

for (const [mode, options] of Object.entries(modes)) {
  for (const {name, route, ready} of views) {
    test(`${name}, ${mode}: axe-core finds nothing`, async () => {
      const {page, errors, context} = await session.newPage(options);
      await page.goto(session.url + route);
      await page.locator(ready).first().waitFor();
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(errors, []);
      await context.close();
    });
  }
}

for (const colorScheme of ['light', 'dark']) {
  test(`a view that is being fetched, or cannot be, ${colorScheme}: axe-core finds nothing`, async () => {
    const {page, context} = await session.newPage({colorScheme, serviceWorkers: 'block'});
    const held = [];
    await page.route(/assets\/(set|teacher|research)_view-.*\.js/, (route) => void held.push(route));
    for (const route of ['#/set/x', '#/teach', '#/research']) {
      await page.goto(session.url + route);
      await page.locator('main .loading').waitFor();
      assert.deepEqual(await violations(page), [], route);
      await becomes(() => held.length > 0, true);
      for (const one of held.splice(0)) await one.abort();
      await page.getByRole('alert').getByRole('button', {name: 'Try again'}).waitFor();
      assert.deepEqual(await violations(page), [], route);
    }
    await context.close();
  });

  test(`a view that waits for the engine, or has none, ${colorScheme}: axe-core finds nothing`, async () => {
    const {page, context} = await session.newPage({colorScheme, serviceWorkers: 'block'});
    const held = [];
    await page.route(/\.wasm$/, (route) => void held.push(route));
    await page.goto(`${session.url}#/practice`);
    await page.locator('main .loading').waitFor();
    await becomes(() => held.length > 0, true);
    assert.deepEqual(await violations(page), []);
    for (const one of held.splice(0)) await one.abort();
    await page.getByRole('alert').waitFor();
    assert.deepEqual(await violations(page), []);
    await context.close();
  });

  test(`work with everything in it, ${colorScheme}: axe-core finds nothing`, async () => {
    const {page, errors, context} = await session.newPage({colorScheme});
    await page.goto(session.url);
    await enterLine(page, '2(x+3)=14');
    await page.locator('.line.given').waitFor();
    await enterLine(page, '2x+6=14');
    await page.locator('.line.right').waitFor();
    for (let hint = 0; hint < 3; ++hint) {
      await page.keyboard.press('Alt+h');
      await page.locator('.hints li').nth(hint).waitFor();
    }
    await page.keyboard.press('Alt+s');
    await page.locator('.solution-steps summary').first().click();
    await enterLine(page, '2x=20');
    await page.locator('.line.wrong').waitFor();
    assert.deepEqual(await violations(page), []);
    await enterLine(page, 'x=4');
    await page.locator('.solved').waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(errors, []);
    await context.close();
  });
}

test('the first Tab leads to the content, and the chosen view is named', async () => {
  const {page, context} = await session.newPage();
  await page.goto(session.url);
  await page.locator('math-field').waitFor();
  await page.keyboard.press('Tab');
  await becomes(focused(page, 'className'), 'skip-link');
  await page.keyboard.press('Enter');
  await becomes(focused(page, 'id'), 'main');
  assert.equal(await page.locator('nav [aria-current=page]').innerText(), 'Solve');
  await page.getByRole('link', {name: 'Practise', exact: true}).click();
  await page.locator('.skill').first().waitFor();
  await becomes(() => page.title(), 'Practise · conpole');
  await becomes(focused(page, 'id'), 'main');
  await context.close();
});

test('the field for formulas can be left with Tab', async () => {
  const {page, context} = await session.newPage();
  await page.goto(session.url);
  await page.locator('math-field').waitFor();
  await page.locator('math-field').focus();
  await page.waitForFunction(() => document.querySelector('math-field').hasFocus());
  await page.keyboard.press('Tab');
  await page.waitForFunction(() => document.activeElement?.tagName !== 'MATH-FIELD');
  await context.close();
});

test('the chosen appearance beats that of the system, and stays', async () => {
  const {page, context} = await session.newPage({colorScheme: 'light'});
  await page.goto(session.url);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const isDark = (light) => getComputedStyle(document.body).backgroundColor !== light;
  const light = await background();
  await page.getByRole('button', {name: 'Appearance: As the system'}).click();
  await page.getByRole('button', {name: 'Appearance: Light'}).waitFor();
  await becomes(background, light);
  await page.getByRole('button', {name: 'Appearance: Light'}).click();
  await page.waitForFunction(isDark, light);
  await page.reload();
  await page.waitForFunction(isDark, light);
  await context.close();
});

test('nothing sticks out of a phone', async () => {
  const {page, context} = await session.newPage({viewport: {width: 360, height: 740}, isMobile: true, hasTouch: true});
  for (const {route, ready} of views) {
    await page.goto('about:blank'); // Else what one waits for may be of the view before.
    await page.goto(session.url + route);
    await page.locator(ready).first().waitFor();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360, route);
  }
  await context.close();
});
