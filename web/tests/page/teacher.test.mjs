// A teacher makes, shares and prints a set; a pupil opens the link, works, comes back, and takes the log away.

import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFile} from 'node:fs/promises';
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

async function visit(route, options) {
  const opened = await session.newPage(options);
  await opened.page.addInitScript(() => {
    globalThis.printed = 0;
    globalThis.print = () => void ++globalThis.printed;
  });
  await opened.page.goto(`${session.url}#/${route}`);
  return opened;
}

const items = (page) => page.locator('.item');
const texts = (page) => page.locator('.item .formula').allInnerTexts();

async function write(page, lines) {
  await page.getByRole('button', {name: 'Write your own'}).click();
  await page.getByLabel('Problems, one per line').fill(lines.join('\n'));
  await page.getByRole('button', {name: 'Check and add'}).click();
}

async function ready(page, count) {
  await becomes(() => items(page).count(), count);
  await items(page).nth(count - 1).locator('.formula').waitFor();
}

async function linkOf(page, after = '') {
  await page.waitForFunction((old) => {
    const value = document.querySelector('input[readonly]')?.value ?? '';
    return value.includes('#/set/1.') && value !== old;
  }, after);
  return page.getByLabel('Link to the set').inputValue();
}

test('exercises are written, made and found, put in order, taken out and brought back', async () => {
  const {page, context} = await visit('teach');
  await write(page, ['2x + 3 = 7', 'x = = 3', '', '1/2 + 1/3', '[3, 1, 2]']);
  await ready(page, 3);
  assert.match(await page.getByRole('alert').innerText(), /Line 1: .*=/);
  assert.equal(await page.getByLabel('Problems, one per line').inputValue(), 'x = = 3');

  await page.getByRole('button', {name: 'By skill'}).click();
  await page.getByLabel('Skill').selectOption('brackets');
  await page.getByLabel('Level').selectOption('2');
  await page.getByLabel('How many').selectOption('2');
  await page.getByRole('button', {name: 'Make and add'}).click();
  await ready(page, 5);
  assert.match(await items(page).nth(4).innerText(), /brackets, level 2/);

  await page.getByRole('button', {name: 'Like a problem'}).click();
  await page.getByLabel('Problem', {exact: true}).fill('3(x + 1) = 12');
  await page.getByRole('button', {name: 'Find similar ones'}).click();
  await page.getByRole('button', {name: 'Add the chosen ones'}).click();
  await ready(page, 9);
  assert.deepEqual(await violations(page), []);

  const before = await texts(page);
  const down = page.getByRole('button', {name: 'Move down: exercise 1'});
  await down.focus();
  for (const place of [2, 3]) {
    await page.keyboard.press('Enter');
    await becomes(focused(page, 'aria-label'), `Move down: exercise ${place}`);
  }
  await becomes(() => texts(page), [before[1], before[2], before[0], ...before.slice(3)]);

  await page.getByRole('button', {name: 'Make another one: exercise 5'}).click();
  await page.waitForFunction((old) => document.querySelectorAll('.item .formula')[4]?.textContent !== old, before[4]);

  await page.getByRole('button', {name: 'Remove: exercise 9'}).click();
  await ready(page, 8);
  await page.getByRole('button', {name: 'Undo'}).click();
  await ready(page, 9);

  await page.reload();
  await ready(page, 9);
  await page.getByRole('button', {name: 'Start a new set'}).click();
  await page.getByText('No exercises yet.').waitFor();
  await context.close();
});

test('a pupil gets the set from the link alone, works through it, and finds it again after a reload', async () => {
  const maker = await visit('teach');
  await write(maker.page, ['x + 3 = 5', '2x = 8']);
  await ready(maker.page, 2);
  const untitled = await linkOf(maker.page);
  await maker.page.getByLabel('Title').fill('Equations for Monday');
  const address = await linkOf(maker.page, untitled);
  assert.ok(address.length < 250, address);
  await maker.context.close();

  const {page, errors, context} = await session.newPage();
  await page.goto(address.replace(/^[^#]*/, session.url));
  await page.getByRole('heading', {name: 'Equations for Monday'}).waitFor();
  await typeLine(page, 'x = 2');
  await page.getByRole('button', {name: 'Next exercise'}).click();
  await page.getByText('1 of 2 done').waitFor();
  await page.locator('.line.given').getByText('8').first().waitFor();
  assert.deepEqual(await violations(page), []);

  await page.reload();
  await page.getByRole('button', {name: 'Exercise 1, done'}).waitFor();
  assert.equal(await page.locator('.set-step[aria-current]').innerText(), '2');
  await page.getByRole('button', {name: 'Hint', exact: true}).click();
  await page.locator('.hints li').first().waitFor();
  await typeLine(page, 'x = 4');
  await page.getByText('All exercises are done.').waitFor();
  await page.getByRole('button', {name: 'Exercise 2, done with help'}).waitFor();
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);

  const taken = async (name) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name}).click()]);
    return JSON.parse(await readFile(await download.path(), 'utf8'));
  };
  const log = await taken('Download as JSON');
  assert.equal(log.format, 'conpole-log');
  assert.deepEqual(log.entries.map(({event}) => event), ['started', 'line', 'solved', 'started', 'hint', 'line', 'solved']);
  assert.ok(log.entries.every(({set}) => set === 'Equations for Monday'));
  const statements = await taken('Download as xAPI');
  assert.equal(statements.length, log.entries.length);
  assert.equal(statements[2].verb.id, 'http://adlnet.gov/expapi/verbs/completed');
  assert.equal(statements[0].actor.account.name, log.learner);
  await page.getByRole('button', {name: 'Delete the log'}).click();
  await becomes(() => page.getByRole('button', {name: 'Download as JSON'}).isDisabled(), true);
  await context.close();
});

test('without hints there is no help', async () => {
  const maker = await visit('teach');
  await write(maker.page, ['x + 3 = 5']);
  await ready(maker.page, 1);
  const allowed = await linkOf(maker.page);
  await maker.page.getByLabel('Pupils may ask for hints and solutions').uncheck();
  const address = await linkOf(maker.page, allowed);
  await maker.context.close();
  const {page, context} = await session.newPage();
  await page.goto(address.replace(/^[^#]*/, session.url));
  await page.locator('.line.given').waitFor();
  assert.equal(await page.getByRole('button', {name: 'Hint', exact: true}).count(), 0);
  assert.equal(await page.getByRole('button', {name: 'Show the solution'}).count(), 0);
  await context.close();
});

test('links that are no sets say why', async () => {
  const sentences = {
    'set': /no exercise set in it/,
    'set/hello': /damaged/,
    'set/1.AAAAAAAA': /damaged/,
    'set/7.AAAAAAAA': /newer version/,
    [`set/1.${'A'.repeat(70_000)}`]: /too large/,
  };
  for (const [route, sentence] of Object.entries(sentences)) {
    const {page, errors, context} = await visit(route);
    await page.getByRole('alert').waitFor();
    assert.match(await page.getByRole('alert').innerText(), sentence);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(errors, []);
    await context.close();
  }
});

/** Width and height of the pages, in points. */
function pageSizes(pdf) {
  const boxes = [...pdf.toString('latin1').matchAll(/\/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)\s*\]/g)];
  return boxes.map(([, width, height]) => [Math.round(Number(width)), Math.round(Number(height))]);
}

/** What is on paper: the PDF, read back, with plain letters for those of formulas. */
async function printedText(page) {
  const {status, stdout, error} = spawnSync('pdftotext', ['-', '-'], {input: await page.pdf({preferCSSPageSize: true})});
  assert.ifError(error); // The package poppler-utils has it.
  assert.equal(status, 0);
  return stdout.toString().normalize('NFKC').replaceAll('\u2062', ''); // invisible times
}

test('a set is printed on A4 or Letter, with and without solutions', async () => {
  const {page, errors, context} = await visit('teach');
  await write(page, ['2x + 3 = 7', '1/2 + 1/3', '[3, 1, 2]']);
  await ready(page, 3);
  await page.getByLabel('Title').fill('Fractions and more');
  const print = page.getByRole('button', {name: 'Print or save as PDF'});
  await print.click();
  await page.waitForFunction(() => globalThis.printed === 1);
  await page.emulateMedia({media: 'print'});
  assert.match(await page.locator('.worksheet').innerText(), /Fractions and more[^]*Name[^]*Solve\.[^]*Work out\./);
  assert.equal(await page.locator('.worksheet-solutions').count(), 0);
  assert.ok(!(await page.locator('.page-header').isVisible()));
  assert.ok(!(await page.locator('.print-panel').isVisible()));
  assert.deepEqual(pageSizes(await page.pdf({preferCSSPageSize: true})), [[595, 842]]);
  await page.emulateMedia({media: 'screen'});

  await page.getByLabel('What').selectOption('both');
  await page.getByLabel('Paper').selectOption('letter');
  await print.click();
  await page.waitForFunction(() => globalThis.printed === 2);
  await page.emulateMedia({media: 'print'});
  assert.match(await page.locator('.worksheet-solutions').innerText(), /Subtract 3 from both sides[^]*Divide both sides by 2/);
  const sizes = pageSizes(await page.pdf({preferCSSPageSize: true}));
  assert.ok(sizes.length >= 2);
  assert.deepEqual(sizes[0], [612, 792]);
  assert.deepEqual(errors, []);
  await context.close();
});

test('Ctrl+P prints the solutions that were chosen, not that there are none', async () => {
  const {page, errors, context} = await visit('teach');
  await write(page, ['2x + 3 = 7', 'x/2 - 3 = 7', '[3, 1, 2]']);
  await ready(page, 3);
  await page.getByLabel('What').selectOption('both');
  await page.keyboard.press('Control+p');
  await page.locator('.worksheet-steps').nth(2).waitFor({state: 'attached'});
  const text = await printedText(page);
  assert.match(text, /Solutions: Exercises[^]*2x = 4[^]*Subtract 3 from both sides[^]*Add 3 to both sides/);
  assert.doesNotMatch(text, /No solution|not worked out/);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a solved problem is printed with its solution', async () => {
  const {page, errors, context} = await visit('solution/algebra/2x+3=7');
  await page.locator('.conclusion').waitFor();
  const text = await printedText(page);
  assert.match(text, /2x \+ 3 = 7[^]*Subtract 3 from both sides[^]*2x = 4[^]*Divide both sides by 2[^]*x = 2/);
  assert.doesNotMatch(text, /New problem|Copy link|Check|Hint/);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a set can be taken over, and the draft that it replaces brought back', async () => {
  const {page, context} = await visit('teach');
  await write(page, ['x + 3 = 5', '2x = 8']);
  await ready(page, 2);
  await page.getByRole('link', {name: 'Open as pupils see it'}).click();
  await page.getByRole('heading', {name: 'Exercises'}).waitFor();
  const address = page.url();
  await page.goto(`${session.url}#/teach`);
  await write(page, ['x = 9 - 1']);
  await ready(page, 3);
  await page.goto(address);
  await page.getByRole('link', {name: 'Edit a copy'}).click();
  await ready(page, 2);
  await page.getByRole('button', {name: 'Undo'}).click();
  await ready(page, 3);
  await context.close();
});

for (const colorScheme of ['light', 'dark']) {
  test(`the teacher's view has no violations in German and ${colorScheme}`, async () => {
    const {page, context} = await visit('teach', {locale: 'de-DE', colorScheme});
    await page.getByRole('heading', {name: 'Aufgabenblatt erstellen'}).waitFor();
    await page.getByLabel('Aufgaben, eine je Zeile').fill('1,5x = 3');
    await page.getByRole('button', {name: 'Prüfen und hinzufügen'}).click();
    await ready(page, 1);
    assert.deepEqual(await violations(page), []);
    await context.close();
  });
}
