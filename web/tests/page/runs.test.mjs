// What a real server shows of training runs, while they go on. Needs the program (CONPOLE_PROGRAM, by default ../build/conpole); without
// it, this is skipped.

import assert from 'node:assert/strict';
import {appendFile, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {becomes, hasProgram, openBrowser, startProgram, violations} from './harness.mjs';

let session;
let folder;
let server = null;

const line = (step, seconds, sorting, fractions) =>
  `${JSON.stringify({step, seconds, loss: 1 / seconds, validation_success: (sorting + fractions) / 2, 'validation_success/sorting': sorting, 'validation_success/fractions': fractions})}\n`;
const progress = (more) =>
  JSON.stringify({domain: 'sorting + fractions', agent: 'cvi', running: true, step: 2100, seconds: 9, validation_success: 0.75, best_validation: 0.75, seconds_left: 130, ...more});

before(async () => {
  session = await openBrowser();
  folder = await mkdtemp(join(tmpdir(), 'conpole-runs-'));
  await mkdir(join(folder, 'both'));
  await writeFile(join(folder, 'both', 'metrics.jsonl'), line(1000, 4, 0.5, 0) + line(2000, 8, 1, 0.5));
  await writeFile(join(folder, 'both', 'progress.json'), progress({tried: {domain: 'sorting', problem: '[==|=]', solution: ['[==|=]', '[=|==]']}}));
  if (hasProgram) server = await startProgram(['--port', '0', '--runs', folder]);
});
after(async () => {
  await server?.kill();
  await session.close();
  await rm(folder, {recursive: true, force: true});
});

for (const colorScheme of ['light', 'dark']) {
  test(`a run is listed, drawn and followed, ${colorScheme}`, async (t) => {
    if (server === null) return t.skip('there is no program');
    await writeFile(join(folder, 'both', 'metrics.jsonl'), line(1000, 4, 0.5, 0) + line(2000, 8, 1, 0.5));
    await writeFile(join(folder, 'both', 'progress.json'), progress({tried: {domain: 'sorting', problem: '[==|=]', solution: ['[==|=]', '[=|==]']}}));
    const {page, context, errors} = await session.newPage({colorScheme});
    await page.goto(`${server.url}#/runs`);
    const row = page.getByRole('row', {name: /both/});
    await row.waitFor();
    assert.match(await row.innerText(), /sorting \+ fractions\s+running\s+2\.1K\s+9 sec\s+75%\s+75%/i);
    assert.deepEqual(await violations(page), []);

    await row.getByRole('link', {name: 'both'}).click();
    await page.getByRole('heading', {name: 'both'}).waitFor();
    await page.getByRole('img', {name: /Validation problems solved\. mean of all: from 25% to 75%, after 2K steps.*sorting: from 50% to 100%.*fractions: from 0% to 50%/}).waitFor();
    assert.equal(await page.locator('.curve').first().locator('polyline').count(), 3);
    await page.getByText('sorting: Solved in 1 step').waitFor();
    assert.deepEqual(await page.locator('.tried .formula').allInnerTexts(), ['[==|=]', '[=|==]']);
    assert.match(await page.locator('main').innerText(), /running \(2 min left\)/);
    assert.deepEqual(await violations(page), []);
    await page.getByLabel('Along').selectOption({label: 'seconds'});
    await page.getByRole('img', {name: /Loss\. Loss: from 0\.25 to 0\.125, after 8 sec/}).waitFor();

    // It goes on, and the page follows by itself; then it ends.
    await appendFile(join(folder, 'both', 'metrics.jsonl'), line(4000, 16, 1, 1));
    await writeFile(join(folder, 'both', 'progress.json'), progress({running: false, best_validation: 1, tried: {domain: 'fractions', problem: '[1]/[2]', solution: []}}));
    await page.getByRole('img', {name: /mean of all: from 25% to 100%/}).waitFor();
    await page.getByText('fractions: Not solved yet').waitFor();
    assert.match(await page.locator('main').innerText(), /ended or stopped[\s\S]*Best: 100%/);
    await page.setViewportSize({width: 360, height: 740});
    await becomes(() => page.evaluate(() => document.documentElement.scrollWidth <= 360), true);
    assert.deepEqual(errors, []);
    await context.close();
  });
}

test('what is not there is said', async (t) => {
  if (server === null) return t.skip('there is no program');
  const {page, context} = await session.newPage();
  await page.goto(`${server.url}#/runs/none`);
  await page.getByRole('alert').getByText('There is no such run').waitFor();
  assert.deepEqual(await violations(page), []);
  const without = await startProgram(['--port', '0']);
  await page.goto(`${without.url}#/runs`);
  await page.getByRole('alert').getByText('conpole serve --runs FOLDER').waitFor();
  assert.deepEqual(await violations(page), []);
  await without.kill();
  await context.close();
});
