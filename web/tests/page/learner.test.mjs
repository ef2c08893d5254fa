// A learner's way through the page, as a person would go it.

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {announces, becomes, enterLine, focused, openBrowser} from './harness.mjs';

let session;
before(async () => (session = await openBrowser()));
after(() => session.close());

const visit = (options) => session.visit('', options);

test('an equation: two hints, a wrong line whose error is named, then the solution', async () => {
  const {page, errors, context} = await visit();
  await enterLine(page, '2(x+3)=14');
  await page.locator('.line.given').waitFor();
  await enterLine(page, '2x+6=14');
  await page.locator('.line.right').waitFor();

  await page.keyboard.press('Alt+h');
  await page.locator('.hints li').nth(0).waitFor();
  await page.keyboard.press('Alt+h');
  await page.locator('.hints li').nth(1).waitFor();
  assert.match(await page.locator('.hints li').nth(1).innerText(), /Subtract 6 from both sides/);
  await announces(page, /Subtract 6/);

  await enterLine(page, '2x=20');
  const wrong = page.locator('.line.wrong');
  await wrong.waitFor();
  assert.equal(await wrong.getAttribute('data-mistake'), 'sign_moved');
  assert.match(await wrong.innerText(), /6 went to the other side and kept its sign/);
  await announces(page, /Not yet.*kept its sign/);

  await enterLine(page, '2x=8');
  await page.locator('.line.right').nth(1).waitFor();
  assert.equal(await wrong.count(), 0);
  await enterLine(page, 'x=4');
  await page.getByRole('heading', {name: 'Solved!'}).waitFor();
  await becomes(focused(page, 'tagName'), 'H3');
  assert.deepEqual(errors, []);
  await context.close();
});

test('the solution comes step by step, marks what changed, and opens into reasons and axioms', async () => {
  const {page, errors, context} = await visit();
  await enterLine(page, '2x+3=7');
  await page.locator('.line.given').waitFor();
  await page.getByRole('button', {name: 'Show the solution'}).click();
  const steps = page.locator('.solution-steps > ol > li');
  await steps.first().waitFor();
  assert.equal(await steps.count(), 1);
  assert.match(await steps.first().innerText(), /Subtract 3 from both sides/);
  assert.ok((await steps.first().locator('math .changed').count()) > 0);
  await page.keyboard.press('Alt+s');
  await steps.nth(1).waitFor();
  const reasons = steps.first().locator('.reasons').first();
  await reasons.locator('summary', {hasText: 'Why?'}).click();
  assert.match(await reasons.locator('ul').innerText(), /Both sides stay equal if 3 is taken away from both\.\s+Left side: 2x \+ 3 − 3 = 2x\./);
  assert.ok((await reasons.locator('ul li').count()) <= 3);
  await reasons.locator('summary', {hasText: 'axioms'}).click();
  assert.ok((await reasons.locator('.axioms li').count()) > 1);
  assert.match(await page.locator('.conclusion').innerText(), /Verified/);
  assert.deepEqual(errors, []);
  await context.close();
});

test('an irrational answer is rounded, too', async () => {
  const {page, errors, context} = await visit();
  await enterLine(page, '2x^2-5x+1=0');
  await page.locator('.line.given').waitFor();
  await page.getByRole('button', {name: 'Show the solution'}).click();
  await page.locator('.conclusion').waitFor();
  assert.match(await page.locator('.conclusion').innerText(), /Rounded: x ≈ 2\.2808 or x ≈ 0\.2192/);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a solution can be seen as curves, or on the number line', async () => {
  for (const [problem, described] of [
    ['x^2 = 2x + 3', 'y = x^2; y = 2x + 3; x = -1, y = 1; x = 3, y = 9'],
    ['2x + 3 < 7', 'x < 2'],
  ]) {
    const {page, errors, context} = await session.visit(`solution/${problem}`);
    await page.getByText('As a picture').click();
    const picture = page.getByRole('img', {name: described});
    await picture.waitFor();
    assert.ok((await picture.evaluate(async (image) => (await image.decode(), image.naturalWidth))) > 0);
    assert.deepEqual(errors, []);
    await context.close();
  }
  const {page, context} = await session.visit('solution/1/2 + 1/3');
  await page.locator('.conclusion').waitFor();
  assert.equal(await page.getByText('As a picture').count(), 0);
  await context.close();
});

test('a fraction', async () => {
  const {page, errors, context} = await visit();
  await enterLine(page, '1/2');
  await page.locator('.line.given').waitFor();
  await page.getByRole('button', {name: 'New problem'}).click();
  await page.getByRole('button', {name: 'Fractions'}).click();
  await page.locator('.line.given mfrac').first().waitFor();
  await enterLine(page, '5/6');
  await page.getByRole('heading', {name: 'Solved!'}).waitFor();
  assert.match(await page.locator('.line.right').innerText(), /6/);
  assert.deepEqual(errors, []);
  await context.close();
});

test('the first screen says what this is, with problems that pupils know', async () => {
  const {page, context} = await visit();
  await page.getByText(/^conpole is a free tutor for school mathematics/).waitFor();
  await page.getByRole('button', {name: 'Percentage'}).click();
  await page.locator('.line.given').waitFor();
  await enterLine(page, '20');
  await page.getByRole('heading', {name: 'Solved!'}).waitFor();
  await context.close();
});

test('sentences have mathematics in them as people write it', async () => {
  const {page, context} = await session.visit('solution/x^2-5x+6=0');
  await page.locator('.said').getByText('Write x² − 5x + 6 as a product: (x − 2)(x − 3).').waitFor();
  await page.goto(`${session.url}#/solution/3/4+2/5`);
  await page.locator('.said mfrac').nth(1).waitFor();
  await context.close();
});

test('sorting by keyboard', async () => {
  const {page, errors, context} = await visit();
  await page.getByRole('button', {name: 'Sorting'}).focus();
  await page.keyboard.press('Enter');
  await page.locator('.text-field').waitFor();
  // Bars: arrows choose one, Space picks it up, arrows move it, Space puts it down.
  const bars = page.locator('.bars-row button');
  await bars.nth(3).waitFor();
  await bars.first().focus();
  for (const key of ['ArrowRight', 'ArrowRight', ' ', 'ArrowRight']) await page.keyboard.press(key);
  await page.locator('.lines .line').nth(1).waitFor();
  assert.match(await page.locator('.lines .line').nth(1).innerText(), /3.*1.*2.*4/s);
  await page.keyboard.press(' ');
  await bars.first().focus();
  for (const key of [' ', 'ArrowRight']) await page.keyboard.press(key);
  await page.locator('.lines .line').nth(2).waitFor();
  // The last line is typed.
  await page.locator('.text-field').focus();
  await page.keyboard.type('[1, 2, 3, 4]');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', {name: 'Solved!'}).waitFor();
  await page.getByRole('button', {name: 'Another like this'}).click();
  await page.locator('.solved').waitFor({state: 'detached'});
  await bars.first().waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('a cube scramble', async () => {
  const {page, errors, context} = await visit();
  await page.getByRole('button', {name: 'Text', exact: true}).click();
  await enterLine(page, "R U F'");
  await page.locator('.workbench').waitFor();
  await page.getByRole('button', {name: 'Show the solution'}).click();
  const steps = page.locator('.solution-steps > ol > li');
  await steps.first().waitFor({timeout: 120_000});
  assert.match(await steps.first().innerText(), /Turn the front face/);
  for (const turn of ['F', "U'", "R'"]) {
    const lines = await page.locator('.lines .line').count();
    await enterLine(page, turn);
    await page.locator('.lines .line').nth(lines).waitFor();
  }
  await page.getByRole('heading', {name: 'Solved!'}).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('a search can be stopped, and the engine goes on', async () => {
  const {page, errors, context} = await visit();
  await page.getByRole('button', {name: 'Text', exact: true}).click();
  await enterLine(page, "R U F' D D L B' R R U' F D L L B U R' F F D' L B B");
  await page.locator('.workbench').waitFor();
  await page.getByRole('button', {name: 'Show the solution'}).click();
  await page.getByRole('button', {name: 'Stop'}).click();
  await page.getByRole('button', {name: 'Stop'}).waitFor({state: 'detached'});
  await page.getByRole('button', {name: 'New problem'}).click();
  await enterLine(page, '2x+3=7');
  await page.locator('.line.given').waitFor();
  await enterLine(page, 'x=2');
  await page.getByRole('heading', {name: 'Solved!'}).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('problems without steps are answered, too', async () => {
  const {page, errors, context} = await visit();
  await enterLine(page, 'x=x+1');
  await page.getByRole('button', {name: 'Show the solution'}).click();
  await page.getByRole('button', {name: 'All steps'}).click();
  assert.match(await page.locator('.conclusion').innerText(), /no solution/);
  await page.getByRole('button', {name: 'New problem'}).click();
  await enterLine(page, 'x=3');
  await page.getByText('There is nothing left to do').waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('a reload in the middle', async () => {
  const {page, errors, context} = await visit();
  await enterLine(page, '3x-4=11');
  await page.locator('.line.given').waitFor();
  await enterLine(page, '3x=15');
  await page.locator('.line.right').waitFor();
  await page.keyboard.press('Alt+h');
  await page.locator('.hints li').waitFor();
  await page.reload();
  await page.locator('.line.right').waitFor();
  await becomes(() => page.locator('.hints li').count(), 1);
  await page.keyboard.press('Alt+u');
  await page.waitForFunction(() => document.querySelectorAll('.lines .line').length === 1);
  await enterLine(page, 'x=5');
  await page.getByRole('heading', {name: 'Solved!'}).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('whatever this browser has stored, the page starts', async () => {
  const {page, errors, context} = await visit();
  await enterLine(page, '3x-4=11');
  await page.locator('.line.given').waitFor();
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) localStorage.setItem(key, '{"exercise":{"domain":7},"lines":[null]}');
  });
  await page.reload();
  await page.locator('.line.given').waitFor();
  await page.getByRole('button', {name: 'New problem'}).click();
  await page.getByRole('heading', {name: 'What are you working on?'}).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('a text that cannot be read says where', async () => {
  const {page, context} = await visit();
  await page.getByRole('button', {name: 'Text', exact: true}).click();
  await enterLine(page, '2x + = 4');
  await page.locator('.trouble').waitFor();
  const selection = await page.locator('.text-field').evaluate((field) => [field.selectionStart, field.selectionEnd]);
  assert.deepEqual(selection, [5, 6]);
  await context.close();
});

test('what was typed goes along when the field changes', async () => {
  const {page, errors, context} = await visit();
  await page.getByRole('button', {name: 'Text', exact: true}).click();
  await page.locator('.text-field').fill('x/2 = 3');
  await page.keyboard.press('Alt+t');
  await page.locator('math-field').waitFor();
  await page.waitForFunction(() => document.querySelector('math-field').value === 'x/2=3');
  await page.keyboard.press('Alt+t');
  await becomes(async () => /x\s*\/\s*2\s*=\s*3/.test(await page.locator('.text-field').inputValue()), true);
  assert.deepEqual(errors, []);
  await context.close();
});

test('in German', async () => {
  const {page, errors, context} = await visit({locale: 'de-DE'});
  await page.getByRole('heading', {name: 'Woran arbeitest du?'}).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
  await enterLine(page, '2x+3=7');
  await page.locator('.line.given').waitFor();
  await enterLine(page, '2x=10');
  assert.match(await page.locator('.line.wrong').innerText(), /Vorzeichen/);
  await page.getByRole('combobox', {name: 'Sprache'}).selectOption('en');
  await page.getByRole('button', {name: 'New problem'}).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

for (const {code, locale, heading, word, language} of [
  {code: 'es', locale: 'es-MX', heading: '¿En qué estás trabajando?', word: /cambia de signo/, language: 'Idioma'},
  {code: 'fr', locale: 'fr-FR', heading: 'Sur quoi travailles-tu ?', word: /change de signe/, language: 'Langue'},
]) {
  test(`in the language ${code}`, async () => {
    const {page, errors, context} = await visit({locale});
    await page.getByRole('heading', {name: heading}).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), code);
    await enterLine(page, '2x+3=7');
    await page.locator('.line.given').waitFor();
    await enterLine(page, '2x=10');
    assert.match(await page.locator('.line.wrong').innerText(), word);
    await page.getByRole('combobox', {name: language}).selectOption('en');
    await page.getByRole('button', {name: 'New problem'}).waitFor();
    assert.deepEqual(errors, []);
    await context.close();
  });
}

test('formulas have their speech as a name', async () => {
  const {page, context} = await visit();
  await enterLine(page, '2x+3=7');
  await page.getByRole('math', {name: '2 x plus 3 equals 7'}).first().waitFor();
  await context.close();
});

test('practice counts exercises in a row and opens the next level', async () => {
  const {page, errors, context} = await visit();
  await page.goto(`${session.url}#/practice/one-step/1`);
  for (let row = 1; row <= 3; ++row) {
    const problem = await page.locator('.line.given .formula').getAttribute('aria-label');
    await enterLine(page, solutionOf(problem));
    await page.getByRole('heading', {name: 'Solved!'}).waitFor();
    await page.locator('.message').waitFor();
    if (row === 2) await page.reload(); // What is counted stays counted.
    await page.getByRole('button', {name: 'Next exercise'}).click();
    await page.locator('.solved').waitFor({state: 'detached'});
  }
  await page.waitForFunction(() => location.hash === '#/practice/one-step/2');
  await page.getByRole('link', {name: 'All skills'}).click();
  await becomes(() => page.locator('[data-skill=one-step] .level.done').count(), 1);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a random problem of a domain, by its axioms', async () => {
  const {page, errors, context} = await visit();
  await page.goto(`${session.url}#/practice`);
  await page.getByRole('link', {name: 'Multiplication', exact: true}).click();
  await page.locator('.line.given .formula').waitFor();
  const first = await page.locator('.line.given .formula').getAttribute('aria-label');
  await page.reload();
  await page.locator('.line.given .formula').waitFor();
  assert.equal(await page.locator('.line.given .formula').getAttribute('aria-label'), first);
  await page.keyboard.press('Alt+s');
  await page.locator('.solution-steps > ol > li').first().waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

/** The answer to "x plus 3 equals 7" and its like. */
function solutionOf(speech) {
  const [, sign, number, right] = /^x (plus|minus) (\d+) equals (\d+)$/.exec(speech) ?? [];
  if (sign !== undefined) return `x=${sign === 'plus' ? right - number : Number(right) + Number(number)}`;
  const [, summand, sum] = /^(\d+) plus x equals (\d+)$/.exec(speech) ?? [];
  if (summand !== undefined) return `x=${sum - summand}`;
  const [, factor, product] = /^(\d+) x equals (\d+)$/.exec(speech) ?? [];
  if (factor !== undefined) return `x=${product / factor}`;
  const [, divisor, quotient] = /^x over (\d+) equals (\d+)$/.exec(speech) ?? [];
  if (divisor !== undefined) return `x=${divisor * quotient}`;
  throw new Error(`no exercise of one step: ${speech}`);
}
