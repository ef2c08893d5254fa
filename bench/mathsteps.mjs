// Reads what bench/solve --templates wrote, solves the same equations with MathSteps, and prints both side by side. Conpole's
// answers and statuses are exact, so an answer of MathSteps is right if it agrees with them.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const mathsteps = createRequire(import.meta.url)('mathsteps');
const problems = readFileSync(process.argv[2], 'utf8').trim().split('\n').map((line) => JSON.parse(line));

const number = (text) => text.replace(/[()[\]\s]/g, '').split('/').reduce((over, under) => over / under);
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const percent = (count) => `${count} of ${problems.length}`;

const log = console.log;
console.log = console.warn = console.error = () => {}; // MathSteps is talkative
const theirs = problems.map(({ problem, status, answer }) => {
  const start = performance.now();
  let last = '';
  try {
    const steps = mathsteps.solveEquation(problem.replaceAll('·', '*'));
    if (steps.length > 0) last = steps[steps.length - 1].newEquation.ascii();
  } catch {
    // It has no answer, then.
  }
  const milliseconds = performance.now() - start;
  const [, claim] = last.match(/^[a-z] = ([-()\d\s/.]+)$/) ?? [];
  const right = claim !== undefined && status === 'solved' && Math.abs(number(claim) - number(answer.slice(4))) < 1e-6;
  return { claim, right, known: status !== 'unsolved', milliseconds };
});
console.log = log;

const ours = (test) => problems.filter(test).length;
console.log('| | answered | equations solved | no single solution, and said so | wrong | median ms |');
console.log('|---|---|---|---|---|---|');
console.log(`| conpole, greedy | ${percent(ours((p) => p.greedy))} | | | 0 (verified) | |`);
console.log(
  `| conpole, 2 s | ${percent(ours((p) => p.status !== 'unsolved'))} | ${ours((p) => p.status === 'solved')} | ` +
    `${ours((p) => !['solved', 'unsolved'].includes(p.status))} | 0 (verified) | ${median(problems.map((p) => p.milliseconds)).toFixed(0)} |`,
);
const claims = theirs.filter((t) => t.claim !== undefined);
console.log(
  `| MathSteps 0.2.0 | | ${theirs.filter((t) => t.right).length} right of ${claims.length} claimed | | ` +
    `${claims.filter((t) => t.known && !t.right).length} | ${median(theirs.map((t) => t.milliseconds)).toFixed(0)} |`,
);
