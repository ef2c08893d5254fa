// Measures the first use of the page in Chromium as on a weak computer: the processor slowed down four times, and the network of a slow 4G
// (1.6 Mbit/s, 150 ms there and back): node bench/first_use.mjs [RUNS]
//
// For each run, in a browser without anything stored: milliseconds until something is painted, until a problem can be typed (the field is
// there), until the engine has read the first problem, and until its solution is shown; and the bytes that were sent for that. The medians
// of the runs are in the last line.

import {enterLine, openBrowser} from '../tests/page/harness.mjs';

const runs = Number(process.argv[2] ?? 5);
const slowdown = 4;
const session = await openBrowser();
const results = [];
for (let run = 0; run < runs; ++run) {
  const {page, context} = await session.newPage({serviceWorkers: 'block'});
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', {rate: slowdown});
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000});
  if (session.server.served !== null) session.server.served.bytes = 0;
  await page.addInitScript(() => {
    // The entry is there, and the main thread is free to take a key.
    new MutationObserver((_, observer) => {
      if (document.querySelector('.text-field, math-field') === null) return;
      observer.disconnect();
      setTimeout(() => performance.mark('interactive'));
    }).observe(document, {childList: true, subtree: true});
  });
  await page.goto(session.url);
  await page.waitForFunction(() => performance.getEntriesByName('interactive').length > 0);
  const interactive = await page.evaluate(() => performance.getEntriesByName('interactive')[0].startTime);
  await enterLine(page, '2x+3=7');
  await page.locator('.line.given').waitFor();
  const now = () => page.evaluate(() => performance.now());
  const answered = await now();
  await page.keyboard.press('Alt+s');
  await page.locator('.solution-steps > ol > li').first().waitFor();
  const solved = await now();
  const painted = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
  const result = {bytes: session.server.served?.bytes ?? null};
  for (const [name, time] of Object.entries({painted, interactive, answered, solved})) result[name] = Math.round(time);
  console.log(JSON.stringify(result));
  results.push(result);
  await context.close();
}
const median = (name) => results.map((result) => result[name]).sort((a, b) => a - b)[Math.floor(results.length / 2)];
const medians = Object.fromEntries(Object.keys(results[0]).map((name) => [name, median(name)]));
console.log(JSON.stringify({slowdown, runs, ...medians}));
await session.close();
