// A teacher lets a real server collect results; pupils work, the server is killed in between, and nothing is lost.
// Needs the program (CONPOLE_PROGRAM, by default ../build/conpole); without it, or in a build without SQLite, it is skipped.

import assert from 'node:assert/strict';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {hasProgram, openBrowser, patience, startProgram, violations} from './harness.mjs';
import {startRecordStore} from './record_store.mjs';

/** Starts the server; null if it cannot keep results. */
async function serve(data, port = 0, more = []) {
  for (const end = Date.now() + patience; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const started = await startProgram(['--port', String(port), '--data', data, ...more]);
    // The port of a server that was killed may be that of somebody's connection for a moment.
    if (started !== null || port === 0 || Date.now() > end) return started;
  }
}

let session;
let data;
let server = null;
before(async () => {
  session = await openBrowser();
  data = await mkdtemp(join(tmpdir(), 'conpole-class-'));
  if (hasProgram) server = await serve(data);
});
after(async () => {
  await server?.kill();
  await session.close();
  await rm(data, {recursive: true, force: true});
});

async function visit(address) {
  const opened = await session.newPage();
  await opened.page.goto(address);
  return opened;
}

async function typeLine(page, text) {
  await page.getByRole('button', {name: 'Text', exact: true}).click();
  await page.locator('.text-field').fill(text);
  await page.locator('.text-field').press('Enter');
}

/** Makes a set in the teacher's view; the links for pupils and for the results. */
async function collect(problems, withHints) {
  const {page, context} = await visit(`${server.url}#/teach`);
  await page.getByRole('button', {name: 'Write your own'}).click();
  await page.getByLabel('Problems, one per line').fill(problems.join('\n'));
  await page.getByRole('button', {name: 'Check and add'}).click();
  await page.locator('.item .formula').nth(problems.length - 1).waitFor();
  if (!withHints) await page.locator('.teach-set input[type=checkbox]').uncheck();
  await page.getByRole('button', {name: 'Make a link for pupils and one for results'}).click();
  await page.getByLabel('Link for pupils').waitFor();
  assert.deepEqual(await violations(page), []);
  const links = {pupils: await page.getByLabel('Link for pupils').inputValue(), results: await page.getByLabel('Link to the results').inputValue()};
  await context.close();
  return links;
}

async function enter(page, name) {
  await page.getByLabel('Your name or nickname').fill(name);
  await page.getByRole('button', {name: 'Begin'}).click();
  await page.locator('.workbench').waitFor();
}

test('results reach the teacher, also when the server is killed in between', async (t) => {
  if (server === null) return t.skip('there is no program that keeps results');
  const links = await collect(['2x + 3 = 7', '3x = 12'], true);
  const pupil = await visit(links.pupils);
  await pupil.page.getByText('Whoever has the link to the results can see them').waitFor();
  assert.deepEqual(await violations(pupil.page), []);
  await enter(pupil.page, 'Ada');
  await pupil.page.getByText('what you enter goes to the server').waitFor();
  await typeLine(pupil.page, '2x = 10');
  await pupil.page.locator('.line.wrong, .wrong').first().waitFor();
  await pupil.page.getByText('Everything was handed in.').waitFor();

  await server.kill();
  await typeLine(pupil.page, '2x = 4');
  await pupil.page.getByText('1 entry waits for the server').waitFor();
  await typeLine(pupil.page, 'x = 2');
  await pupil.page.getByRole('heading', {name: 'Solved!'}).waitFor();
  // What waits is there after a reload, too; the page itself comes from the browser's own store or from the server.
  server = await serve(data, server.port);
  await pupil.page.getByText('Everything was handed in.').waitFor();
  assert.deepEqual(await violations(pupil.page), []);

  // The name is taken, and another pupil takes another one.
  const second = await visit(links.pupils);
  await second.page.getByLabel('Your name or nickname').fill('Ada');
  await second.page.getByRole('button', {name: 'Begin'}).click();
  await second.page.getByRole('alert').getByText('Somebody has this name already').waitFor();
  await enter(second.page, 'Bob');

  // With the code in the link, as learning platforms make it, nobody is asked for a name.
  const code = /another device: (\w+)/.exec(await pupil.page.locator('main').innerText())[1];
  const known = await visit(`${links.pupils}/${code}`);
  await known.page.getByText(`You are Ada. Your code, for another device: ${code}`).waitFor();
  const unknown = await visit(`${links.pupils}/aaaaaaaaaa`);
  await unknown.page.getByText('There is no such set').waitFor();

  const teacher = await visit(links.results);
  const row = teacher.page.getByRole('row', {name: /Ada/});
  await row.getByText('solved', {exact: false}).first().waitFor();
  assert.match(await row.innerText(), /Ada\s+solved/);
  await teacher.page.locator('summary', {hasText: 'Ada'}).click();
  assert.match(await teacher.page.locator('details', {hasText: 'Ada'}).innerText(), /2x = 10[\s\S]*wrong[\s\S]*2x = 4[\s\S]*right[\s\S]*x = 2/);
  await teacher.page.getByRole('row', {name: /Bob/}).waitFor();
  assert.deepEqual(await violations(teacher.page), []);
  const [file] = await Promise.all([teacher.page.waitForEvent('download'), teacher.page.getByRole('button', {name: 'Download as CSV'}).click()]);
  assert.equal(file.suggestedFilename(), 'results.csv');

  await teacher.page.locator('summary', {hasText: 'Bob'}).click();
  await teacher.page.getByRole('button', {name: 'Delete all of Bob'}).click();
  await teacher.page.getByRole('button', {name: 'Delete all of Bob'}).click();
  await teacher.page.getByRole('row', {name: /Bob/}).waitFor({state: 'detached'});
  await teacher.page.getByRole('button', {name: 'Delete the set and all results'}).click();
  await teacher.page.getByRole('button', {name: 'Delete the set and all results'}).click();
  await teacher.page.getByText('The set and all results were deleted.').waitFor();
  for (const {context} of [pupil, second, known, unknown, teacher]) await context.close();
});

test('a set without hints and solutions has none', async (t) => {
  if (server === null) return t.skip('there is no program that keeps results');
  const links = await collect(['2x + 3 = 7'], false);
  const {page, context} = await visit(links.pupils);
  await enter(page, 'Cid');
  await typeLine(page, '2x = 4');
  await page.getByText('Everything was handed in.').waitFor();
  assert.equal(await page.getByRole('button', {name: /hint/i}).count(), 0);
  assert.equal(await page.getByRole('button', {name: /solution/i}).count(), 0);
  const key = links.pupils.split('/').at(-1);
  const status = await page.evaluate(async (set) => {
    const pupil = JSON.parse(localStorage.getItem(`conpole.1.class.${set}.pupil`)).code;
    const body = JSON.stringify({set, pupil, number: 1, exercise: 1});
    return (await fetch('./class/hint', {method: 'POST', headers: {'Content-Type': 'application/json'}, body})).status;
  }, key);
  assert.equal(status, 403);
  await context.close();
});

test('a record store hears what pupils do, and pupils know', async (t) => {
  if (server === null) return t.skip('there is no program that keeps results');
  const links = await collect(['2x + 3 = 7'], true);
  const store = await startRecordStore('Basic YTpi');
  await server.kill();
  await writeFile(join(data, 'records.json'), JSON.stringify({endpoint: store.url, auth: 'Basic YTpi'}));
  server = await serve(data, server.port, ['--records', join(data, 'records.json')]);
  const {page, context, errors} = await session.newPage();
  await page.goto(links.pupils);
  await page.getByText(`keeps a record of what you do here, under this name, at ${new URL(store.url).host}`).waitFor();
  store.fails = [500];
  await enter(page, 'Dot');
  await typeLine(page, '2x = 10');
  await page.locator('.line.wrong').waitFor();
  await page.getByRole('button', {name: 'Hint', exact: true}).click();
  await page.locator('.hints li').waitFor();
  await typeLine(page, 'x = 2');
  await page.getByRole('heading', {name: 'Solved!'}).waitFor();
  const statements = await store.has(5);
  assert.deepEqual(
    statements.map(({verb, result}) => [verb.id.split('/').at(-1), result?.response]),
    [['attempted', undefined], ['answered', '2x = 10'], ['interacted', undefined], ['answered', 'x = 2'], ['completed', undefined]],
  );
  assert.ok(statements.every(({actor, context: {registration}}) => actor.account.name === 'Dot' && registration === statements[0].context.registration));
  // The log of this browser, which others may use, has nothing of it.
  assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes('"event"'));
  assert.deepEqual(errors.filter((error) => !error.includes('500')), []);
  await context.close();
  await store.close();
});

test('a page that came from a plain host says that it takes a server', async () => {
  const {page, context} = await visit(`${session.url}#/teach`);
  await page.getByRole('button', {name: 'Write your own'}).click();
  await page.getByLabel('Problems, one per line').fill('2x + 3 = 7');
  await page.getByRole('button', {name: 'Check and add'}).click();
  await page.locator('.item .formula').first().waitFor();
  await page.getByRole('button', {name: 'Make a link for pupils and one for results'}).click();
  await page.getByText('It takes a server').waitFor();
  await context.close();
});
