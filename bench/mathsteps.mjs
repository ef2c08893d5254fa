// Reads what bench/solve --templates wrote, solves the same equations with MathSteps, and prints both side by side. The answers of
// both are judged by putting them into the equation with the arithmetic of mathjs.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const mathsteps = require('mathsteps');
const math = require('mathjs');
const problems = readFileSync(process.argv[2], 'utf8').trim().split('\n').map((line) => JSON.parse(line));

const number = (text) => text.replace(/[()[\]\s]/g, '').split('/').reduce((over, under) => over / under);
const holds = (problem, x) => {
  const [left, right] = problem.split('=').map((side) => math.eval(side, { x }));
  return Math.abs(left - right) < 1e-6 * Math.max(1, Math.abs(left));
};
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)].toFixed(0);
const count = (list, test) => list.filter(test).length;

// The number that MathSteps ends with; nothing if it has none.
const answerOf = (problem) => {
  try {
    const steps = mathsteps.solveEquation(problem);
    const last = steps.length > 0 ? steps[steps.length - 1].newEquation.ascii() : '';
    const [, claim] = last.match(/^x = ([-()\d\s/.]+)$/) ?? [];
    return claim && number(claim);
  } catch {
    return undefined;
  }
};

const { log } = console;
console.log = console.error = () => {}; // MathSteps is talkative
const theirs = problems.map(({ problem }) => {
  const start = performance.now();
  const answer = answerOf(problem);
  return { problem, answer, milliseconds: performance.now() - start };
});
console.log = log;

const solved = (p) => p.status === 'solved';
const wrong = count(problems, (p) => solved(p) && !holds(p.problem, number(p.answer.slice(4))));
const known = count(problems, (p) => !solved(p) && p.status !== 'unsolved');
const claimed = theirs.filter((t) => t.answer !== undefined);
const right = count(claimed, (t) => holds(t.problem, t.answer));
console.log(`| ${problems.length} equations | solved | no single solution, and said so | wrong | median ms |`);
console.log('|---|---|---|---|---|');
console.log(`| conpole, greedy | ${count(problems, (p) => solved(p) && p.greedy)} | ${known} | | |`);
console.log(`| conpole, 2 s | ${count(problems, solved) - wrong} | ${known} | ${wrong} | ${median(problems.map((p) => p.milliseconds))} |`);
console.log(`| MathSteps 0.2.0 | ${right} | | ${claimed.length - right} | ${median(theirs.map((t) => t.milliseconds))} |`);
