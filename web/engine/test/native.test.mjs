// The same answers as the native service gives: problems of all domains, learners' lines, and what the golden files say.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { createEngine, models, nativeAnswers, nativeIsMissing, repository, roundedAs, ServiceProblem, withoutTimes } from './places.mjs';

const kDomains = ['algebra', 'equations', 'fractions', 'multiplication', 'rubiks-cube', 'sorting', 'ternary-addition'];
// Counted, not timed, so that a slow or busy machine gives the same answers.
const kPatient = { milliseconds: 30_000, expansions: 100 };

let engine;
before(async () => {
  engine = await createEngine({ models });
});
after(() => engine.close());

async function answer([operation, request]) {
  try {
    return { status: 200, body: await engine.call(operation, request) };
  } catch (problem) {
    if (!(problem instanceof ServiceProblem)) throw problem;
    return { status: problem.status, body: { title: problem.title, detail: problem.detail, position: problem.position } };
  }
}

async function compare(requests) {
  const native = nativeAnswers(requests);
  assert.equal(native.length, requests.length);
  for (const [i, request] of requests.entries()) {
    const here = await answer(request);
    const what = JSON.stringify(request);
    assert.equal(here.status, native[i].status, what);
    if (here.status === 200) {
      const expected = withoutTimes(native[i].body);
      assert.deepEqual(roundedAs(expected, withoutTimes(here.body)), expected, what);
    } else {
      const { title, detail, position } = native[i].body;
      assert.deepEqual(here.body, { title, detail: detail ?? title, position }, what);
    }
  }
}

test('problems of all domains are solved by the same steps', { skip: nativeIsMissing }, async () => {
  const generated = kDomains.flatMap((domain) =>
    Array.from({ length: 14 }, (_, i) => ['generate', { domain, seed: 20_000 + i }]));
  const problems = nativeAnswers(generated).map(({ body }) => body);
  await compare(generated);
  await compare(problems.map(({ domain, problem }) => ['solve', { domain, problem, ...kPatient }]));
});

test('hints, checks and next steps are the same', { skip: nativeIsMissing }, async () => {
  const lines = ['2x + 3 = 7', '(x+1)/2 = 3', '1/2 + 1/3', '3/4 * 2/9', '2(x - 3) = 4x + 1', 'x^2 = 9', '[3, 1, 2]', "R U F'",
    'solve 2x+3=7 please', '\\frac{1}{2}x = 4', '2x + = 7', '1/0', 'x', ''];
  const requests = [];
  for (const language of ['en', 'de', 'es', 'fr']) {
    for (const line of lines) {
      requests.push(['read', { text: line, language }], ['solve', { problem: line, language, detail: 'both', ...kPatient }]);
      requests.push(['next', { line, language }]);
      for (const level of [1, 2, 3]) requests.push(['hint', { line, level, language, ...kPatient }]);
      requests.push(['check', { problem: line, lines: ['2x = 10', '2x = 4', 'x = 2', '5/6', 'nonsense'], language }]);
    }
  }
  requests.push(['skills', { language: 'de' }], ['domains', {}]);
  await compare(requests);
});

test('the questions that all doors are asked are answered alike', { skip: nativeIsMissing }, async () => {
  const questions = JSON.parse(await readFile(new URL('tests/doors/questions.json', repository), 'utf8'));
  await compare(questions.map(({ operation, request }) => [operation, request]));
});

test('skills have the same exercises', { skip: nativeIsMissing }, async () => {
  const [{ body }] = nativeAnswers([['skills', {}]]);
  const requests = body.skills.flatMap(({ name, levels }) => [
    ['exercise', { skill: name, level: 1, seed: 1 }],
    ['exercise', { skill: name, level: levels, seed: 2 }],
  ]);
  await compare(requests);
});

test('the problems of the golden files are generated', async () => {
  const folder = new URL('tests/golden/', repository);
  let seen = 0;
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.txt'))) {
    const domain = file.replace('.txt', '');
    const text = await readFile(new URL(file, folder), 'utf8');
    for (const [, seed, problem] of text.matchAll(/^problem (\d+)\n(.*)$/gm)) {
      assert.equal((await engine.generate({ domain, seed: Number(seed) })).problem, problem);
      ++seen;
    }
  }
  assert.equal(seen, 3 * kDomains.length);
});
