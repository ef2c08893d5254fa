// What most people do first with the engine, so that the build knows which of its functions have to be there at once:
//   node first_use.mjs OBSERVED MODELS LANGUAGES OUT      OBSERVED: the engine as wasm-split --instrument makes it
// Writes which functions have run.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Instance } from './instance.js';

const [observed, models, languages, out] = process.argv.slice(2);
const module = await WebAssembly.compile(await readFile(observed));
// Where an instance has its functions is its own business; this one is also asked what has run.
let exports;
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...given) => {
  const instance = await instantiate(...given);
  ({ exports } = instance);
  return instance;
};
const engine = await Instance.start(module);

/** As the page asks: with markup, handing over what is missing. */
async function ask(operation, request = {}) {
  const text = JSON.stringify(request);
  let answer = engine.call(operation, text);
  while (answer.status === 424) {
    const { model } = JSON.parse(answer.body);
    engine.loadModel(model, await readFile(join(model.endsWith('.json') ? languages : models, model)));
    answer = engine.call(operation, text);
  }
  if (answer.status !== 200 && answer.status !== 422) throw new Error(`${operation} ${text}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body);
}
const asThePageAsks = { markup: true, language: 'en' };
let shown = asThePageAsks;

// What pupils write, whatever the problem.
const attempts = ['7', 'x', '2 +', 'x = 99', 'x = -1/2', '0 = 0', 'hello', '1/2', '3x = 9'];

/** A problem, worked on: read as it is typed, hints of all levels, wrong lines, the solution line by line and at once, and others like it. */
async function workOn(problem, wrong) {
  for (let size = 1; size < problem.length; ++size) await ask('read', { text: problem.slice(0, size), ...shown });
  const { domain, state } = await ask('read', { text: problem, ...shown });
  if (state === undefined) throw new Error(`${problem} is not read`);
  await ask('solve', { problem, domain, ...shown });
  const { steps } = await ask('solve', { problem, domain, detail: 'both', graph: true, ...shown });
  const lines = steps.map(({ after }) => after);
  for (const level of [1, 2, 3]) await ask('hint', { line: problem, domain, level, ...shown });
  await ask('hint', { line: problem, domain, level: 1, tried: wrong, ...shown });
  for (const line of [wrong, problem, ...lines, ...attempts]) await ask('check', { problem, domain, lines: [line], ...shown });
  for (let i = 2; i <= lines.length; ++i) await ask('check', { problem, domain, lines: lines.slice(0, i), ...shown });
  for (const seed of [1, 2, 3]) await ask('exercise', { like: problem, domain, seed, ...shown });
}

await ask('version');
await ask('domains');
for (const text of ['hello', '2x + = 7', '2x = 4 = x']) await ask('read', { text, ...shown });
const problems = [
  ['2x + 3 = 7', '2x = 10'],
  ['2(x + 3) = 14', '2x + 3 = 14'],
  ['5x - 4 = 2x + 8', '3x = 4'],
  ['x/2 - 3 = 7', 'x/2 = 4'],
  ['2/3x = 4', 'x = 8/3'],
  ['1/2 + 1/3', '2/5'],
  ['2/3 * 3/4', '6/7'],
  ['3(2 + 4) - 5', '6 + 4 - 5'],
  ['25% of 80', '25'],
  ['x^2 - 5x + 6 = 0', 'x = 1'],
];
for (const [problem, wrong] of problems) await workOn(problem, wrong);
for (const other of [{ language: 'de' }, { language: 'fr' }, { markup: false, domain: undefined }]) {
  shown = { ...asThePageAsks, ...other };
  for (const [problem, wrong] of problems.slice(0, 2)) await workOn(problem, wrong);
}
shown = asThePageAsks;
const { skills } = await ask('skills', shown);
for (const { name, domain } of skills) {
  if (domain !== 'algebra') continue;
  for (const [level, seed] of [[1, 1], [1, 2], [2, 3], [2, 4], [3, 5]]) {
    const { problem } = await ask('exercise', { skill: name, level, seed, ...shown });
    await workOn(problem, problem);
    await ask('progress', { progress: {}, skill: name, level, solved_without_help: true });
  }
}

const size = exports.__write_profile(0, 0);
const at = exports.conpole_allocate(size);
exports.__write_profile(at, size);
await writeFile(out, new Uint8Array(exports.memory.buffer, at, size));
