// What the page tests share: a small web server for the built page, Chromium, and how a learner types.
//
// The page is web/dist, served from here; CONPOLE_PAGE_URL names another server instead, `conpole serve` for example. To find tests that
// wait for less than they mean, CONPOLE_PAGE_SLOWDOWN=6 gives the page a sixth of the processor.

import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {readFile, stat} from 'node:fs/promises';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {dirname, extname, join, normalize} from 'node:path';
import {fileURLToPath} from 'node:url';
import {isDeepStrictEqual} from 'node:util';
import {chromium} from 'playwright-core';

const web = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const builtPage = join(web, 'dist');
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** Serves a folder as a plain static host does, with the compressed files that lie beside. Counts the bytes of bodies. */
export async function serveFolder(folder = builtPage) {
  if (!existsSync(join(folder, 'index.html'))) throw new Error(`${folder} has no page: npm run build makes it`);
  const served = {bytes: 0, files: []};
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    const accepted = request.headers['accept-encoding'] ?? '';
    const headers = {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'cache-control': /^\/(assets|engine)\//.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
    };
    for (const [encoding, suffix] of [['br', '.br'], ['gzip', '.gz'], ['', '']]) {
      if (!accepted.includes(encoding)) continue;
      try {
        await stat(file + suffix);
        const body = await readFile(file + suffix);
        served.bytes += body.length;
        served.files.push({path, bytes: body.length});
        response.writeHead(200, encoding === '' ? headers : {...headers, 'content-encoding': encoding});
        response.end(body);
        return;
      } catch {
        // The next variant.
      }
    }
    response.writeHead(404);
    response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {url: `http://127.0.0.1:${server.address().port}/`, served, close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve)))};
}

const program = process.env.CONPOLE_PROGRAM ?? join(dirname(web), 'build', 'conpole');
export const hasProgram = existsSync(program);

/** Starts `conpole serve` with the page and these options; null if it ends at once. */
export async function startProgram(more) {
  const child = spawn(program, ['serve', '--page', builtPage, '--log', 'off', ...more]);
  const line = await new Promise((resolve) => {
    child.stdout.once('data', (bytes) => resolve(String(bytes)));
    child.once('exit', () => resolve(''));
  });
  const found = /:(\d+)\//.exec(line);
  if (found === null) return null;
  const ended = new Promise((resolve) => child.once('exit', resolve)); // once, however often it is killed
  const kill = () => (child.kill('SIGKILL'), ended);
  return {port: Number(found[1]), url: `http://127.0.0.1:${found[1]}/`, kill};
}

export const patience = Number(process.env.CONPOLE_PAGE_TIMEOUT ?? 60_000); // milliseconds

export function launchBrowser() {
  return chromium.launch({
    executablePath: process.env.CONPOLE_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync',
    ], // prettier-ignore
    timeout: 2 * patience,
  });
}

export async function openBrowser() {
  const given = process.env.CONPOLE_PAGE_URL;
  const server = given === undefined ? await serveFolder() : {url: given, served: null, close: async () => undefined};
  const browser = await launchBrowser();
  return {
    server,
    url: server.url,
    browser,
    /**
     * A page of a new visitor, whom nothing moves for unless the options say so. What goes wrong in it is in `errors`, with the address
     * it is about: every test wants that empty.
     */
    async newPage(options = {}) {
      const context = await browser.newContext({locale: 'en-GB', viewport: {width: 1280, height: 860}, reducedMotion: 'reduce', ...options});
      context.setDefaultTimeout(patience);
      const page = await context.newPage();
      const slowdown = Number(process.env.CONPOLE_PAGE_SLOWDOWN ?? 1);
      if (slowdown > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', {rate: slowdown});
      const errors = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => message.type() === 'error' && errors.push(`${message.text()} ${message.location().url}`));
      return {context, page, errors};
    },
    /** The same, at a route of the page ('' is the start). */
    async visit(route = '', options = {}) {
      const opened = await this.newPage(options);
      await opened.page.goto(route === '' ? server.url : `${server.url}#/${route}`);
      return opened;
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** Presses the keys of a text as they lie on an English keyboard, with Shift where that is needed. */
export async function typeKeys(page, text) {
  for (const key of text) {
    const isShifted = /[~!@#$%^&*()_+{}|:"<>?A-Z]/.test(key);
    if (isShifted) await page.keyboard.down('Shift');
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    if (isShifted) await page.keyboard.up('Shift');
  }
}

/** Types a line and presses Enter, in the field that is chosen, once it is there. */
export async function enterLine(page, text) {
  await page.locator('.mode-switch').waitFor();
  if (await page.locator('.mode-switch [aria-pressed=true]').evaluate((button) => button.parentElement?.firstChild === button)) {
    const field = page.locator('math-field');
    await field.waitFor();
    await field.focus();
    // MathLive takes keys once its own focus handling is through.
    await page.waitForFunction(() => document.querySelector('math-field')?.hasFocus());
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await field.evaluate((element) => element.executeCommand('selectAll'));
    await page.keyboard.press('Backspace');
    await typeKeys(page, text);
  } else {
    await page.locator('.text-field').fill(text);
    await page.locator('.text-field').focus();
  }
  await page.keyboard.press('Enter');
}

/** Waits until a screen reader was told this. */
export function announces(page, text) {
  return page.getByTestId('announcer').getByText(text).waitFor();
}

/** Waits until what is read is what is wanted: for what comes a moment after that which one can wait for, as the focus does. */
export async function becomes(read, wanted) {
  for (const end = Date.now() + patience; Date.now() < end; await pause(50)) {
    if (isDeepStrictEqual(await read(), wanted)) return;
  }
  assert.deepEqual(await read(), wanted);
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Of the element that has the focus. */
export const focused = (page, property) => () => page.evaluate((name) => document.activeElement?.[name] ?? document.activeElement?.getAttribute(name) ?? null, property);

/**
 * Waits until nothing moves and nothing changes any more. The time is kept here: that of the page may stand still (page.clock), and a
 * page that has not got the processor yet has not changed either, but does not answer.
 */
async function settled(page) {
  const look = () =>
    page.evaluate(async () => {
      await document.fonts.ready;
      for (const animation of document.getAnimations()) if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
      return document.documentElement.outerHTML;
    });
  let before = '';
  for (const end = Date.now() + patience; Date.now() < end; await pause(50)) {
    const now = await look();
    if (now === before) return;
    before = now;
  }
}

/** The violations that axe-core finds, each with the elements it is about. */
export async function violations(page) {
  await settled(page);
  await page.evaluate(axeSource);
  const found = page.evaluate(() => globalThis.axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}));
  // It waits for timers of the page, which may stand still (page.clock).
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error('axe-core does not answer')), 5 * patience).unref());
  const result = await Promise.race([found, late]);
  return result.violations.map(({id, nodes}) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}
