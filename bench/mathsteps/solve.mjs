// Solves the equations of standard input, a line each, with MathSteps, and writes a JSON object for each: what its last step says,
// in words that bench/school judge reads, how many steps there are, and the time of the processor. A line may begin with what to do,
// "solve: ", "factor: " or "simplify: "; then the answer is whatever the last step says. MathSteps is loaded from the folder that is
// given:
//   node solve.mjs FOLDER < equations
// All are solved twice, and the second time is what counts, since MathSteps is compiled while it runs.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const require = createRequire(join(resolve(process.argv[2]), 'package.json'));
const mathsteps = require('mathsteps');
const equations = readFileSync(0, 'utf8').split('\n').filter((line) => line !== '');

// What the last step says; nothing if it is no answer.
const answerOf = (steps) => {
  if (steps.length === 0) return '';
  const last = steps[steps.length - 1];
  if (last.changeType === 'STATEMENT_IS_TRUE') return 'every number';
  if (last.changeType === 'STATEMENT_IS_FALSE') return 'no solution';
  const equation = last.newEquation.ascii();
  return /^[a-z] = [-()\d\s/.]+$/.test(equation) ? equation : '';
};

const tasks = {
  solve: (text) => [mathsteps.solveEquation(text), (step) => step.newEquation.ascii()],
  factor: (text) => [mathsteps.factor(text), (step) => step.newNode.toString()],
  simplify: (text) => [mathsteps.simplifyExpression(text), (step) => step.newNode.toString()],
};

const solve = (problem) => {
  const start = process.cpuUsage();
  const [, task, text] = problem.match(/^(\w+): (.*)$/) ?? [];
  let steps = [];
  let answer = '';
  try {
    if (task === undefined) {
      steps = mathsteps.solveEquation(problem);
      answer = answerOf(steps);
    } else {
      let show;
      [steps, show] = tasks[task](text);
      answer = steps.length === 0 ? '' : show(steps[steps.length - 1]);
    }
  } catch {
    // Not solved.
  }
  const { user, system } = process.cpuUsage(start);
  return { problem, answer, steps: steps.length, milliseconds: (user + system) / 1000 };
};

const { log } = console;
console.log = console.error = () => {}; // MathSteps is talkative
equations.map(solve);
const results = equations.map(solve);
console.log = log;
for (const result of results) log(JSON.stringify(result));
