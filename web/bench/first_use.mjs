// Measures the first use of the page in Chromium with the processor slowed down four times: node bench/first_use.mjs [RUNS]
//
// For each run, in a browser without anything stored: milliseconds until a problem can be typed (the field is there), until the engine
// has answered what the first problem is, and the bytes that were sent. The median of the runs is in the last line.

import {enterLine, openBrowser} from '../tests/page/harness.mjs';

const runs = Number(process.argv[2] ?? 5);
const slowdown = 4;
const session = await openBrowser();
const results = [];
for (let run = 0; run < runs; ++run) {
  const {page, context} = await session.newPage({serviceWorkers: 'block'});
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', {rate: slowdown});
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
  const answered = await page.evaluate(() => performance.now());
  const result = {interactive: Math.round(interactive), answered: Math.round(answered), bytes: session.server.served?.bytes ?? null};
  console.log(JSON.stringify(result));
  results.push(result);
  await context.close();
}
const median = (name) => results.map((result) => result[name]).sort((a, b) => a - b)[Math.floor(results.length / 2)];
console.log(JSON.stringify({slowdown, runs, interactive: median('interactive'), answered: median('answered'), bytes: median('bytes')}));
await session.close();
