// Prints what conpole and MathSteps made of the same equations, a row for each set:
//   node compare.mjs FOLDER [--json FILE] [--record FOLDER]
// For each name in FOLDER/sets, FOLDER has NAME.conpole and NAME.mathsteps, a JSON object per equation, and what the exact judge
// said of each in NAME.conpole.verdict and NAME.mathsteps.verdict. FOLDER/cold has the times of a cold start in milliseconds.
// --record writes MathSteps' row of Table 2 as experiments/table2.py reads it: the paper's 200 equations, in up to 30 steps.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: options, positionals: [folder] } = parseArgs({
  options: { json: { type: 'string' }, record: { type: 'string' } },
  allowPositionals: true,
});
const lines = (name) => readFileSync(join(folder, name), 'utf8').split('\n').filter((line) => line !== '');

const mean = (values) => (values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length);
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

// A program is as slow on what it does not solve as on the rest.
const measure = (name, program) => {
  const verdicts = lines(`${name}.${program}.verdict`);
  return lines(`${name}.${program}`).map((line, i) => {
    const result = JSON.parse(line);
    return { ...result, solved: result.answer !== '' && verdicts[i] === 'right', wrong: result.answer !== '' && verdicts[i] === 'wrong' };
  });
};
const summary = (results, both) => ({
  equations: results.length,
  solved: results.filter((r) => r.solved).length,
  wrong: results.filter((r) => r.wrong).length,
  solved_within_30_steps: results.filter((r) => r.solved && r.steps <= 30).length,
  // As the agents of Table 2 solve an equation: "no solution" is right, but no state that they could reach.
  numbers_within_30_steps: results.filter((r) => r.solved && r.steps <= 30 && r.answer.includes('=')).length,
  mean_steps: mean(results.filter((r) => r.solved).map((r) => r.steps)),
  mean_steps_where_both_solve: mean(results.filter((_, i) => both[i]).map((r) => r.steps)),
  median_milliseconds: median(results.map((r) => r.milliseconds)),
});

console.log('| equations | program | solved | wrong | mean steps | where both solve | median ms |');
console.log('|---|---|---|---|---|---|---|');
const sets = {};
for (const name of lines('sets')) {
  const ours = measure(name, 'conpole');
  const theirs = measure(name, 'mathsteps');
  const both = ours.map((r, i) => r.solved && theirs[i].solved);
  sets[name] = { conpole: summary(ours, both), mathsteps: summary(theirs, both) };
  for (const [program, s] of Object.entries(sets[name])) {
    const steps = [s.mean_steps, s.mean_steps_where_both_solve].map((x) => x.toFixed(2)).join(' | ');
    console.log(`| ${name} | ${program} | ${s.solved} of ${s.equations} | ${s.wrong} | ${steps} | ${s.median_milliseconds.toFixed(2)} |`);
  }
}
const cold = median(lines('cold').map(Number));
console.log(`\nA cold conpole solve of a linear equation: median ${cold.toFixed(1)} ms.`);
if (options.json) writeFileSync(options.json, `${JSON.stringify({ sets, cold_milliseconds: cold }, null, 2)}\n`);
if (options.record) {
  if (!sets.templates) throw new Error("there is no record without the paper's shapes of equations");
  const { equations, numbers_within_30_steps: solved, wrong } = sets.templates.mathsteps;
  const record = {
    version: 1,
    agent: 'mathsteps',
    variant: '',
    domain: 'equations',
    source: "the authors' templates",
    seed: 0,
    device: 'cpu',
    steps: 0,
    done: true,
    seconds: 0,
    settings: {},
    test: { problems: equations, solved, wrong },
    fresh: null,
    evaluations: [],
  };
  // One line per entry, as the records of runs have it.
  const entries = Object.entries(record).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  writeFileSync(join(options.record, 'mathsteps-equations-0.json'), `{\n${entries.join(',\n')}\n}\n`);
}
