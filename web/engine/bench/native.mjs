// WebAssembly against native, on one machine in one run: are the answers the same, and how long does a solution take?
//
//   node web/engine/bench/native.mjs [--problems 1000] [--tool build/tests/service_tool] [--engine build-wasm/web/engine]
//                                    [--models FOLDER]
//
// The problems are generated, as many of each domain. Both sides run the same service with one thread, one request at a time;
// times are of answers in the process, without its start, and without the first answer of each domain, which reads the model.
// --models names another folder of models for WebAssembly, to compare those. Exits with 1 if an answer differs.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const { values: options } = parseArgs({
  options: {
    problems: { type: 'string', default: '1000' },
    tool: { type: 'string', default: `${repository}build/tests/service_tool` },
    engine: { type: 'string', default: `${repository}build-wasm/web/engine` },
    models: { type: 'string', default: `${repository}models` },
  },
});
const { Instance } = await import(pathToFileURL(`${options.engine}/instance.js`));

const kDomains = ['algebra', 'equations', 'fractions', 'multiplication', 'rubiks-cube', 'sorting', 'ternary-addition'];
const kFirstSeed = 30_000;
// Counted, not timed: a search that ends by the clock ends elsewhere on a slower machine.
const kBudget = { milliseconds: 30_000, expansions: 300 };

function native(requests) {
  const input = requests.map(([operation, request]) => `${operation}\t${JSON.stringify(request)}\n`).join('');
  const run = spawnSync(options.tool, [`${repository}models`], { input, maxBuffer: 1 << 30, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`${options.tool}: ${run.error ?? run.stderr}`);
  return run.stdout.trimEnd().split('\n').map((line) => {
    const [status, milliseconds, ...body] = line.split('\t');
    return { status: Number(status), milliseconds: Number(milliseconds), body: JSON.parse(body.join('\t')) };
  });
}

async function wasm(requests) {
  const instance = await Instance.start(await WebAssembly.compile(await readFile(`${options.engine}/conpole.wasm`)));
  const answers = [];
  for (const [operation, request] of requests) {
    const text = JSON.stringify(request);
    for (;;) {
      const start = performance.now();
      const { status, body } = instance.call(operation, text);
      const milliseconds = performance.now() - start;
      const parsed = JSON.parse(body);
      if (status !== 424) {
        answers.push({ status, milliseconds, body: parsed });
        break;
      }
      instance.loadModel(parsed.model, await readFile(`${options.models}/${parsed.model}`));
    }
  }
  return answers;
}

const essence = ({ status, body }) =>
  JSON.stringify({ status, body }, (key, value) => (key === 'milliseconds' ? undefined : value));
const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))];

const perDomain = Math.ceil(Number(options.problems) / kDomains.length);
const generated = native(kDomains.flatMap((domain) =>
  Array.from({ length: perDomain + 1 }, (_, i) => ['generate', { domain, seed: kFirstSeed + i }])));
const requests = generated.map(({ body }) => ['solve', { domain: body.domain, problem: body.problem, ...kBudget }]);

const sides = { native: native(requests), wasm: await wasm(requests) };
const rows = kDomains.map((domain, d) => {
  const from = d * (perDomain + 1) + 1; // without the first
  const of = (side) => sides[side].slice(from, from + perDomain);
  return { domain, native: of('native'), wasm: of('wasm') };
});
rows.push({ domain: 'all', native: rows.flatMap((row) => row.native), wasm: rows.flatMap((row) => row.wasm) });

console.log('domain            problems  same  solved   native p50    p95 ms     wasm p50    p95 ms   p50 ratio');
let different = 0;
for (const { domain, native: there, wasm: here } of rows) {
  const differing = there.filter((answer, i) => essence(answer) !== essence(here[i]));
  if (domain !== 'all') {
    different += differing.length;
    for (const answer of differing.slice(0, 3)) console.error(`different: ${answer.body.domain} ${answer.body.problem}`);
  }
  const solved = there.filter(({ body }) => body.status === 'solved').length;
  const [t, h] = [there, here].map((side) => side.map(({ milliseconds }) => milliseconds));
  const [t50, t95, h50, h95] = [quantile(t, 0.5), quantile(t, 0.95), quantile(h, 0.5), quantile(h, 0.95)];
  const cell = (value, width) => value.toFixed(2).padStart(width);
  console.log(`${domain.padEnd(18)}${String(there.length).padStart(8)}${String(there.length - differing.length).padStart(6)}` +
    `${String(solved).padStart(8)}${cell(t50, 13)}${cell(t95, 10)}${cell(h50, 13)}${cell(h95, 10)}${cell(h50 / t50, 12)}`);
}
process.exitCode = different === 0 ? 0 : 1;
