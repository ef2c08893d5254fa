// <conpole-tutor> in a page of somebody else, bundled as a maker would. The engine is a stand-in that knows one exercise, so that the
// element alone is tested; the engine has tests of its own.

import assert from 'node:assert/strict';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';
import {becomes, launchBrowser, patience, serveFolder, violations} from './harness.mjs';
import {startRecordStore} from './record_store.mjs';

const web = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const engine = process.env.CONPOLE_WASM ?? join(dirname(web), 'build-wasm', 'web', 'engine');

const script = `
import {defineTutorElement} from '${join(engine, 'tutor-element.js')}';
const verdicts = {'2x = 4': 'correct', 'x = 2': 'solved', '2x = 10': 'wrong'};
const standIn = {
  async check({problem, lines, language}) {
    const line = lines.at(-1);
    if (verdicts[line] === undefined) throw new Error('cannot be read');
    const correct = verdicts[line] !== 'wrong';
    return {problem, lines: [{verdict: verdicts[line], correct, text: language + ' ' + lines.length, mistake: correct ? null : 'lost_sign'}]};
  },
  async hint({line, level}) {
    return {level, text: 'hint ' + level + ' for ' + line};
  },
};
globalThis.heard = [];
for (const name of ['conpole-line', 'conpole-hint', 'conpole-solved']) {
  addEventListener(name, ({type, detail}) => globalThis.heard.push([type, detail]));
}
defineTutorElement();
for (const element of document.querySelectorAll('conpole-tutor')) element.engine = standIn;
`;

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'">
</head><body><main><h1>Exercise</h1>
<conpole-tutor id="one" problem="2x + 3 = 7"></conpole-tutor>
<conpole-tutor id="exam" problem="2x + 3 = 7" language="de" hints="off"></conpole-tutor>
</main><script type="module" src="./page.js"></script></body></html>`;

let folder;
let server;
let browser;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conpole-element-'));
  await writeFile(join(folder, 'index.html'), html);
  await build({
    stdin: {contents: script, resolveDir: engine},
    bundle: true,
    format: 'esm',
    outfile: join(folder, 'page.js'),
    conditions: ['browser'],
    logLevel: 'error',
  });
  server = await serveFolder(folder);
  browser = await launchBrowser();
});
after(async () => {
  await browser.close();
  await server.close();
  await rm(folder, {recursive: true, force: true});
});

test('a learner works, and the page hears of it', async () => {
  const page = await (await browser.newContext({bypassCSP: false})).newPage();
  page.setDefaultTimeout(patience);
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(server.url);
  const tutor = page.locator('#one');
  const enter = async (line) => {
    await tutor.getByLabel('Your next line').fill(line);
    await tutor.getByLabel('Your next line').press('Enter');
  };
  await enter('2x = 10');
  await tutor.getByText('Not right. en 1').waitFor();
  await tutor.getByRole('button', {name: 'Hint'}).click();
  await tutor.getByText('hint 1 for 2x + 3 = 7').waitFor();
  await enter('2x = 4');
  await tutor.getByText('Right. en 1').waitFor();
  await tutor.getByRole('button', {name: 'Hint'}).click();
  await tutor.getByText('hint 1 for 2x = 4').waitFor(); // a new line, and hints begin anew
  await enter('2x =');
  await tutor.getByText('That did not work: cannot be read').waitFor();
  await enter('x = 2');
  await tutor.getByText('Solved. en 2').waitFor();
  const heard = await page.evaluate(() => globalThis.heard);
  assert.deepEqual(heard.map(([type]) => type), ['conpole-line', 'conpole-hint', 'conpole-line', 'conpole-hint', 'conpole-line', 'conpole-solved']);
  assert.equal(heard[0][1].mistake, 'lost_sign');
  const {lines, wrong, hints} = heard.at(-1)[1];
  assert.deepEqual({lines, wrong, hints}, {lines: ['2x = 4', 'x = 2'], wrong: 1, hints: 2});
  assert.equal(await page.locator('#exam').getByRole('button', {name: 'Hinweis'}).count(), 0);
  // Another problem begins anew.
  await tutor.evaluate((element) => element.setAttribute('problem', '3x = 6'));
  await tutor.getByLabel('Your next line').waitFor();
  assert.deepEqual(await tutor.evaluate((element) => element.lines), []);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
});

test('a record store hears of everything, also when it or the network was away', async () => {
  const store = await startRecordStore('Basic YWRhOmxvdmU=');
  const context = await browser.newContext({bypassCSP: true});
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  await page.goto(server.url);
  const tutor = page.locator('#one');
  const enter = async (line) => {
    await tutor.getByLabel('Your next line').fill(line);
    await tutor.getByLabel('Your next line').press('Enter');
  };
  const join = () =>
    tutor.evaluate((element, endpoint) => {
      const actor = {objectType: 'Agent', account: {homePage: 'https://school.example/', name: 'ada'}};
      element.lrs = {endpoint, auth: 'Basic YWRhOmxvdmU=', actor};
    }, store.url);
  await join();
  store.isAway = true;
  await enter('2x = 10');
  await tutor.getByText('Not right. ').waitFor();
  await tutor.getByRole('button', {name: 'Hint'}).click();
  await tutor.getByText('hint 1').waitFor();
  await becomes(() => store.turnedAway > 0, true);
  store.isAway = false;
  const first = await store.has(3);
  assert.deepEqual(first.map(({verb}) => verb.id.split('/').at(-1)), ['attempted', 'answered', 'interacted']);
  assert.deepEqual(store.batches, [3]);
  assert.equal(first[1].result.response, '2x = 10');
  assert.equal(first[1].result.success, false);
  assert.equal(first[1].actor.account.name, 'ada');

  // Without a network it waits, and a page that is opened anew sends it.
  await context.setOffline(true);
  await enter('2x = 4');
  await tutor.getByText('Right. ').waitFor();
  await page.waitForTimeout(2500);
  assert.equal(store.statements.size, 3);
  await context.setOffline(false);
  await page.goto(server.url);
  await join();
  await enter('x = 2');
  await tutor.getByText('Solved. ').waitFor();
  const all = await store.has(7);
  assert.deepEqual(all.slice(3).map(({verb, result}) => [verb.id.split('/').at(-1), result?.response]), [
    ['answered', '2x = 4'],
    ['attempted', undefined],
    ['answered', 'x = 2'],
    ['completed', undefined],
  ]);
  await page.waitForFunction(() => Object.keys(localStorage).every((key) => !key.includes('statements')));

  // A plain attribute is an endpoint without an authorisation, which this store refuses; the element works all the same.
  await page.locator('#exam').evaluate((element, endpoint) => element.setAttribute('lrs', endpoint), `${store.url}/`);
  await page.locator('#exam').getByLabel('Deine nächste Zeile').fill('x = 2');
  await page.locator('#exam').getByLabel('Deine nächste Zeile').press('Enter');
  await page.locator('#exam').getByText('Gelöst. ').waitFor();
  await becomes(() => store.refused.length > 0, true);
  assert.equal(store.statements.size, 7);
  await context.close();
  await store.close();
});
