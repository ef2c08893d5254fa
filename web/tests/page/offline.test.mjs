// What is fetched, from where, and that it is enough: first use, no other hosts, later visits without a network, unchecked MathML.

import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {builtPage, enterLine, openBrowser} from './harness.mjs';

let session;
before(async () => (session = await openBrowser()));
after(() => session.close());

const isReady = () => navigator.serviceWorker.ready.then((registration) => registration.active?.state === 'activated');

const isKept = async (name) => {
  for (const cache of await caches.keys()) {
    if ((await (await caches.open(cache)).keys()).some(({url}) => url.includes(name))) return true;
  }
  return false;
};

test('after the first visit it works without a network', async () => {
  const {page, errors, context} = await session.newPage();
  const asked = [];
  context.on('request', (request) => request.url().includes('/models/') && asked.push(request.url()));
  await page.clock.install({time: 0});
  await page.clock.pauseAt(3_600_000); // No timer runs out, so no model is being fetched when the network goes.
  await page.goto(session.url);
  await page.waitForFunction(isReady);
  await context.setOffline(true);
  await page.clock.resume();
  await page.reload();
  await enterLine(page, '2x+3=7');
  await page.locator('.line.given').waitFor();
  await page.getByText(/Being kept for use without a network: 0 of/).waitFor();
  await page.clock.fastForward(10_000); // Now the models would be fetched, if there were a network.
  await enterLine(page, 'x=2');
  await page.getByRole('heading', {name: 'Solved!'}).waitFor();
  await page.goto(`${session.url}index.html?from=a-bookmark#/practice`);
  await page.locator('.skill').first().waitFor();
  assert.deepEqual({asked, errors}, {asked: [], errors: []});
  await page.getByText(/Being kept for use without a network: 0 of/).waitFor();
  await page.clock.fastForward(10_000);
  await context.setOffline(false);
  await page.getByText(/Being kept for use without a network: [1-9]/).waitFor();
  await page.waitForFunction(isKept, 'research_view'); // What few need is kept, too.
  await context.close();
});

test('a model that was used once is there without a network', async () => {
  const {page, context} = await session.newPage();
  await page.goto(session.url);
  await page.waitForFunction(isReady);
  await page.reload(); // From here on the service worker sees what is fetched.
  const solveSorting = async () => {
    await page.getByRole('button', {name: 'Sorting'}).click();
    await page.getByRole('button', {name: 'Show the solution'}).click();
    await page.locator('.solution-steps > ol > li').first().waitFor();
    await page.getByRole('button', {name: 'New problem'}).click();
  };
  await solveSorting();
  await context.setOffline(true);
  await page.reload();
  await solveSorting();
  await context.close();
});

test('after the first visit, once the page says so, every example works without a network', async () => {
  const {page, context} = await session.newPage();
  await page.goto(session.url);
  await page.getByText('Ready for use without a network.').waitFor({timeout: 120_000});
  await context.setOffline(true);
  await page.reload();
  const examples = page.locator('button.example');
  await examples.first().waitFor();
  const count = await examples.count();
  assert.ok(count >= 6);
  for (let index = 0; index < count; ++index) {
    await examples.nth(index).click();
    await page.getByRole('button', {name: 'Show the solution'}).click();
    await page.locator('.solution-steps > ol > li').first().waitFor();
    await page.getByRole('button', {name: 'New problem'}).click();
    await examples.first().waitFor();
  }
  await context.close();
});

test('what is not there without a network is said in words, beside the button', async () => {
  const {page, context} = await session.newPage();
  await page.route('**/models/**', (route) => route.abort());
  await page.goto(session.url);
  await page.getByRole('button', {name: 'Sorting'}).click();
  await page.getByRole('button', {name: 'Show the solution'}).click();
  await saysThatItIsMissing(page, '.solution .failure');
  await context.close();
});

test('a part of the engine that is not there is missed in words, and the rest works', async () => {
  const {page, context} = await session.newPage({serviceWorkers: 'block'});
  await page.route('**/engine/conpole-rest-*', (route) => route.abort());
  await page.goto(session.url);
  await page.getByRole('button', {name: 'Sorting'}).click();
  await saysThatItIsMissing(page, '.ask .trouble');
  await enterLine(page, '2x+3=7');
  await page.locator('.line.given').waitFor();
  await page.unroute('**/engine/conpole-rest-*');
  await page.goBack();
  await page.getByRole('button', {name: 'Sorting'}).click();
  await page.getByRole('button', {name: 'Show the solution'}).waitFor();
  await context.close();
});

async function saysThatItIsMissing(page, place) {
  const said = page.locator(place);
  await said.waitFor();
  assert.match(await said.innerText(), /part that could not be fetched.*Try again when there is a network/);
  assert.doesNotMatch(await page.locator('main').innerText(), /Error|fetch failed|Failed to fetch/);
}

test('nothing is asked of other hosts', async () => {
  const {page, context} = await session.newPage({serviceWorkers: 'block'});
  const foreign = [];
  page.on('request', (request) => new URL(request.url()).origin !== new URL(session.url).origin && !/^(data|blob):/.test(request.url()) && foreign.push(request.url()));
  await page.goto(session.url);
  await enterLine(page, '2x+3=7');
  await page.locator('.line.given').waitFor();
  assert.deepEqual(foreign, []);
  await context.close();
});

test('first use, with a solved equation, is under 1.01 MB', async (t) => {
  if (session.server.served === null) return t.skip('bytes are counted by the server of these tests');
  if (!existsSync(join(builtPage, 'index.html.br'))) return t.skip('the page was built with --fast');
  const {page, context} = await session.newPage();
  // What is fetched later, for the time without a network, is not for those who save data.
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', {value: {saveData: true}}));
  session.server.served.bytes = 0;
  session.server.served.files = [];
  await page.goto(session.url);
  await enterLine(page, '2x+3=7');
  await page.locator('.line.given').waitFor();
  await page.keyboard.press('Alt+h');
  await page.locator('.hints li').waitFor();
  await enterLine(page, 'x=2');
  await page.getByRole('heading', {name: 'Solved!'}).waitFor();
  await page.getByRole('button', {name: 'Another like this'}).click(); // This needs the model of the domain.
  await page.locator('.solved').waitFor({state: 'detached'});
  await page.waitForFunction(isReady);
  t.diagnostic(session.server.served.files.map(({path, bytes}) => `${path} ${bytes}`).join('\n'));
  t.diagnostic(`${session.server.served.bytes} bytes`);
  assert.ok(session.server.served.files.some(({path}) => path.includes('/models/')));
  assert.ok(!session.server.served.files.some(({path}) => path.includes('conpole-rest')));
  assert.ok(session.server.served.bytes < 1_010_000, String(session.server.served.bytes));
  await context.close();
});

test('the page allows no scripts but its own, and no inline styles', async () => {
  const {page, context} = await session.newPage();
  await page.goto(session.url);
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /'unsafe-inline'|'unsafe-eval'|https?:/);
  await page.evaluate(() => {
    const element = document.createElement('div');
    element.innerHTML = '<img src=x onerror="window.wasRun = true"><p style="color: rgb(1, 2, 3)" id="styled">x</p>';
    document.body.append(element);
  });
  await page.waitForTimeout(100);
  assert.equal(await page.evaluate(() => 'wasRun' in window), false);
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.getElementById('styled')).color), 'rgb(1, 2, 3)');
  await context.close();
});
