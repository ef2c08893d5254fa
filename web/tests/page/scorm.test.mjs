// A teacher takes a set as a SCORM package, a platform (simulated, tests/scorm_platform.ts) imports it, and a learner works in it, leaves
// and comes back on another device. The package is also made by the command.

import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {access, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {after, before, test} from 'node:test';
import {promisify} from 'node:util';
import {build} from 'esbuild';
import {builtPage, openBrowser, serveFolder, violations} from './harness.mjs';

const run = promisify(execFile);
const unzip = (zip, folder) => run('python3', ['-m', 'zipfile', '-e', zip, folder]);

let session;
let folder;
let course; // where the package lies, with the platform beside it
let platform;
before(async () => {
  session = await openBrowser();
  folder = await mkdtemp(join(tmpdir(), 'conpole-scorm-'));
  course = join(folder, 'course');
});
after(async () => {
  await platform?.close();
  await session.close();
  await rm(folder, {recursive: true, force: true});
});

async function filesOf(path) {
  const entries = await readdir(path, {withFileTypes: true, recursive: true});
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(path, join(entry.parentPath ?? entry.path, entry.name)));
}

test('a teacher downloads a package of the set', async () => {
  const {page, context, errors} = await session.visit('teach');
  await page.getByLabel('Title').fill('Equations & more');
  await page.getByRole('button', {name: 'Write your own'}).click();
  await page.getByLabel('Problems, one per line').fill('2x + 3 = 7\n3x = 12');
  await page.getByRole('button', {name: 'Check and add'}).click();
  await page.locator('.item .formula').nth(1).waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: 'Download as a SCORM package'}).click()]);
  assert.equal(file.suggestedFilename(), 'Equations-more.zip');
  await page.locator('main').getByText(/The package has \d\.\d MB/).waitFor();
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await file.saveAs(join(folder, 'course.zip'));
  await unzip(join(folder, 'course.zip'), course);
  await context.close();

  // The manifest names every file, and every file is named.
  const manifest = await readFile(join(course, 'imsmanifest.xml'), 'utf8');
  const listed = [...manifest.matchAll(/<file href="([^"]*)"/g)].map(([, href]) => decodeURI(href));
  assert.deepEqual([...listed, 'imsmanifest.xml'].sort(), (await filesOf(course)).sort());
  assert.match(manifest, /<title>Equations &amp; more<\/title>/);
  await run('python3', ['-c', 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])', join(course, 'imsmanifest.xml')]);
  await assert.rejects(access(join(course, 'service-worker.js')));
  // No model is needed for equations as people write them, so that the package is small.
  assert.deepEqual(listed.filter((path) => path.startsWith('models/') && !path.includes('algebra')), []);
});

/** Opens the course in the platform, as an attempt that goes on from what was kept. */
async function launch(kept, visit = {}) {
  await build({
    stdin: {
      contents: `import {ScormPlatform} from '${join(builtPage, '..', 'tests', 'scorm_platform.ts')}';
        const {kept, visit} = JSON.parse(decodeURIComponent(location.hash.slice(1)));
        globalThis.API_1484_11 = new ScormPlatform(kept, visit);`,
      resolveDir: folder,
      loader: 'ts',
    },
    bundle: true,
    outfile: join(course, 'platform', 'platform.js'),
    logLevel: 'error',
  });
  await writeFile(
    join(course, 'platform', 'index.html'),
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A platform</title><link rel="icon" href="../icon.svg"></head><body><main><h1>Course</h1></main>
    <script src="./platform.js"></script><iframe src="../index.html" title="Exercises" width="1000" height="800"></iframe></body></html>`,
  );
  platform ??= await serveFolder(course);
  const opened = await session.newPage();
  await opened.page.goto(`${platform.url}platform/index.html#${encodeURIComponent(JSON.stringify({kept, visit}))}`);
  return {...opened, frame: opened.page.frameLocator('iframe')};
}

const stateOf = (page) => page.evaluate(() => ({kept: API_1484_11.kept, errors: API_1484_11.errors, isOver: API_1484_11.isOver, commits: API_1484_11.commits}));

async function enter(frame, line) {
  await frame.getByRole('button', {name: 'Text', exact: true}).click();
  await frame.locator('.text-field').fill(line);
  await frame.locator('.text-field').press('Enter');
}

/** Takes the course away as platforms do: the frame goes, the platform stays. */
async function leave(page) {
  await page.locator('iframe').evaluate((element) => element.remove());
  await page.waitForFunction(() => API_1484_11.isOver);
  return stateOf(page);
}

let kept; // what the first visit left

test('the platform gets lines, score and progress, and the browser keeps nothing', async () => {
  const {page, frame, context, errors} = await launch(null, {passingScore: '0.8'});
  await frame.getByText('You work as Lovelace, Ada.').waitFor();
  await frame.getByText('Your lines and results go to the learning platform').waitFor();
  // There is the set, and nothing that leads away from it.
  assert.equal(await frame.getByRole('link').filter({hasNotText: 'Skip'}).count(), 0);
  await enter(frame, '2x = 10');
  await frame.locator('.line.wrong').waitFor();
  await enter(frame, '2x = 4');
  await frame.locator('.line.right').waitFor();
  await enter(frame, 'x = 2');
  await frame.getByRole('heading', {name: 'Solved!'}).waitFor();
  await frame.getByRole('button', {name: 'Next exercise'}).click();
  await frame.getByRole('button', {name: 'Hint', exact: true}).click();
  await frame.locator('.hints li').waitFor();
  const left = await leave(page);
  assert.deepEqual([left.errors, errors], [[], []]);
  const {values, interactions} = left.kept;
  assert.equal(interactions.length, 2);
  assert.match(interactions[0].learner_response, /^2x = 10 \[wrong(: \w+)?\]\n2x = 4\nx = 2$/);
  assert.deepEqual(interactions.map(({id, result, description}) => [id, result, description]), [
    ['exercise-1', 'correct', '2x + 3 = 7'],
    ['exercise-2', 'neutral', '3x = 12'],
  ]);
  assert.deepEqual([values['cmi.score.raw'], values['cmi.score.scaled'], values['cmi.progress_measure']], ['1', '0.5', '0.5']);
  assert.deepEqual([values['cmi.completion_status'], values['cmi.success_status'], values['cmi.location']], ['incomplete', undefined, '2']);
  assert.match(values['cmi.session_time'], /^PT\d+S$/);
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), []);
  assert.equal(await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length)), 0);
  kept = left.kept;
  await context.close();
});

test('on another device it goes on where it was, to the end', async () => {
  const {page, frame, context, errors} = await launch(kept, {passingScore: '0.8'});
  await frame.getByRole('button', {name: 'Exercise 1, done with help'}).waitFor();
  assert.equal(await frame.getByRole('button', {name: 'Exercise 2'}).getAttribute('aria-current'), 'step');
  await enter(frame, 'x = 4');
  await frame.getByText('All exercises are done').waitFor();
  assert.equal(await frame.getByRole('button', {name: 'Download as JSON'}).count(), 0);
  // The first exercise shows the lines of the first visit.
  await frame.getByRole('button', {name: 'Exercise 1, done with help'}).click();
  await frame.locator('.line.right').nth(1).waitFor();
  const left = await leave(page);
  assert.deepEqual([left.errors, errors], [[], []]);
  const {values, interactions} = left.kept;
  assert.deepEqual(interactions.map(({result, learner_response}) => [result, learner_response.split('\n').at(-1)]), [
    ['correct', 'x = 2'],
    ['correct', 'x = 4'],
  ]);
  assert.deepEqual([values['cmi.score.raw'], values['cmi.completion_status'], values['cmi.success_status']], ['1.5', 'completed', 'failed']);
  await context.close();
});

test('whoever only looks is not reported, and without a platform the page says so', async () => {
  const looking = await launch(null, {mode: 'review'});
  await looking.frame.getByText('nothing is reported').waitFor();
  await enter(looking.frame, 'x = 2');
  await looking.frame.getByRole('heading', {name: 'Solved!'}).waitFor();
  const left = await leave(looking.page);
  assert.deepEqual([left.kept.interactions, left.kept.values['cmi.score.raw'], left.errors], [[], undefined, []]);
  await looking.context.close();

  const alone = await session.newPage();
  await alone.page.goto(`${platform.url}index.html`);
  await alone.page.getByText('No learning platform was found').waitFor();
  await alone.page.locator('.workbench').waitFor();
  assert.deepEqual(await violations(alone.page), []);
  assert.deepEqual(alone.errors, []);
  await alone.context.close();
});

test('the command makes the same package of a link', async () => {
  const {page, context} = await session.newPage();
  await page.goto(`${platform.url}index.html`);
  const fragment = await page.locator('meta[name="conpole-set"]').getAttribute('content');
  await context.close();
  const zip = join(folder, 'command.zip');
  const told = await run(process.execPath, [join(builtPage, '..', 'package_set.mjs'), `https://school.example/#/set/${fragment}`, '--page', builtPage, '--out', zip]);
  assert.match(told.stdout, /command\.zip/);
  const made = join(folder, 'command');
  await unzip(zip, made);
  await rm(join(course, 'platform'), {recursive: true});
  assert.deepEqual((await filesOf(made)).sort(), (await filesOf(course)).sort());
  for (const path of await filesOf(made)) assert.deepEqual(await readFile(join(made, path)), await readFile(join(course, path)), path);
  await assert.rejects(run(process.execPath, [join(builtPage, '..', 'package_set.mjs'), '1.broken', '--page', builtPage, '--out', zip]));
});
