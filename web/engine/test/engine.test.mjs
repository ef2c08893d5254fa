// The engine as JavaScript sees it: answers, problems, models, stopping, progress and memory.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { createEngine, Instance, models, packageFolder, ServiceProblem } from './places.mjs';

const compiled = async (name) => WebAssembly.compile(await readFile(new URL(name, packageFolder)));
const module = await compiled('conpole.wasm');
let engine;

before(async () => {
  engine = await createEngine({ wasm: module, models });
});
after(() => engine.close());

// A search that takes all the time that it is given: it looks for shorter solutions.
const kLong = { domain: 'rubiks-cube', problem: "R U F' D2 L B' R2 U' F L2 D B R' U2 F2 L' D' B2", milliseconds: 30_000 };

test('solves, hints and checks', async () => {
  const solution = await engine.solve({ problem: '2x + 3 = 7' });
  assert.equal(solution.answer, 'x = 2');
  assert.equal(solution.verified, true);
  assert.deepEqual(solution.steps.map((step) => step.after), ['2x = 4', 'x = 2']);
  const hint = await engine.hint({ line: '2x + 3 = 7', level: 3, language: 'de' });
  assert.equal(hint.line, '2x = 4');
  const check = await engine.check({ problem: '2x + 3 = 7', lines: ['2x = 10'] });
  assert.equal(check.correct, false);
  assert.notEqual(check.lines[0].mistake, null);
});

test('says what it is', async () => {
  const version = await engine.version();
  assert.equal(version.engine, 'wasm');
  assert.equal(version.kernels, 'simd128');
  const { version: written } = JSON.parse(await readFile(new URL('package.json', packageFolder)));
  assert.equal(version.version, written);
});

test('texts are UTF-8 in both directions', async () => {
  const reading = await engine.read({ text: '½·x − 3 = √4' }).catch((problem) => problem);
  const plain = await engine.read({ text: '½x − 3 = 2' });
  assert.equal(plain.domain, 'algebra');
  assert.ok(reading instanceof ServiceProblem || typeof reading.state === 'string');
  const problem = await engine.solve({ problem: '2x + 😀 = 7' }).catch((error) => error);
  assert.ok(problem instanceof ServiceProblem);
  assert.equal(problem.status, 422);
  assert.equal(problem.position, 5);
});

test('wrong requests are problems that name the field', async () => {
  const cases = [
    ['solve', { problem: '2x + = 7' }, 422, 'problem'],
    ['solve', { problem: '2x = 4', colour: 'red' }, 400, 'colour'],
    ['solve', { problem: 7 }, 400, 'problem'],
    ['solve', {}, 400, 'problem'],
    ['hint', { line: '2x = 4', level: 9 }, 400, 'level'],
    ['solve', { problem: '2x = 4', domain: 'chess' }, 404, 'domain'],
    ['dance', {}, 404, undefined],
  ];
  for (const [operation, request, status, field] of cases) {
    await assert.rejects(engine.call(operation, request), (problem) => {
      assert.ok(problem instanceof ServiceProblem, String(problem));
      assert.equal(problem.status, status, problem.message);
      assert.equal(problem.field, field);
      assert.ok(problem.message.length > 0);
      return true;
    });
  }
});

test('no bytes bring the seam down', async () => {
  const instance = await Instance.start(module, await compiled('conpole-rest.wasm'));
  const requests = [
    '', '{', 'null', '[]', '"x"', '{}}', '{"problem":"2x=4"', '\0', '{"problem":"\\u0000"}', '{"problem":"\\ud800"}',
    `{"problem":"${'('.repeat(5000)}x${')'.repeat(5000)}=1"}`,
    `{"problem":"${'-'.repeat(10_000)}x=1"}`,
    `{"problem":"${'1+'.repeat(8000)}x=1"}`,
    '['.repeat(100_000),
    `{"problem":${'['.repeat(100_000)}`,
    `{"problem":"${'x'.repeat(1 << 20)}"}`,
    `{"problem":"${'9'.repeat(15_000)}x=1"}`,
    `{"problem":"2x=4","milliseconds":1e400}`,
    `{"problem":"2x=4","milliseconds":-1}`,
    `{"problem":"2x=4","expansions":99999999999999999999999}`,
  ];
  for (const operation of ['solve', 'check', 'read', '', 'solve\0', '\ud800', 'x'.repeat(100_000)]) {
    for (const request of requests) {
      const { status, body } = instance.call(operation, request);
      assert.ok(status === 200 || (status >= 400 && status < 500), `${operation} ${request.slice(0, 50)}: ${status} ${body}`);
      if (status !== 200) assert.equal(JSON.parse(body).status, status);
    }
  }
  assert.equal(instance.loadModel('equations.safetensors', new Uint8Array([1, 2, 3])).status, 422);
  assert.equal(instance.loadModel('', new Uint8Array(0)).status, 422);
  assert.equal(instance.call('solve', '{"problem":"2x=4"}').status, 200);
});

test('models are fetched when they are needed, and missing ones are named', async () => {
  const away = await createEngine({ wasm: module, models: new URL('nowhere/', models) });
  try {
    assert.equal((await away.solve({ problem: '2x + 3 = 7' })).answer, 'x = 2');
    await assert.rejects(away.solve({ domain: 'sorting', problem: '[3, 1, 2]', policy: true }), /nowhere\/sorting\.safetensors/);
    assert.equal((await away.solve({ problem: '2x + 3 = 9' })).answer, 'x = 3');
  } finally {
    away.close();
  }
  const solution = await engine.solve({ domain: 'ternary-addition', problem: 'a1 b0 a0 a1', policy: true });
  assert.equal(typeof solution.status, 'string');
});

test('what few need of the engine is fetched when a call needs it', async () => {
  const list = { domain: 'sorting', problem: '[3, 1, 2]' };
  const away = await createEngine({ wasm: module, rest: new URL('nowhere/conpole-rest.wasm', models), models });
  try {
    assert.equal((await away.solve({ problem: '2x + 3 = 7', language: 'de', detail: 'both' })).answer, 'x = 2');
    await assert.rejects(away.solve(list), { status: 424, message: /conpole-rest\.wasm cannot be fetched/ });
    assert.equal((await away.check({ problem: '2x + 3 = 7', lines: ['2x = 10'] })).correct, false);
  } finally {
    away.close();
  }
  for (const worker of [true, false]) {
    const whole = await createEngine({ wasm: new URL('conpole.wasm', packageFolder), models, worker });
    try {
      const german = await whole.solve({ problem: '2x + 3 = 7', language: 'de' });
      assert.equal((await whole.solve(list)).verified, true);
      // The instance that took over was handed the language again.
      assert.deepEqual((await whole.solve({ problem: '2x + 3 = 7', language: 'de' })).steps, german.steps);
    } finally {
      whole.close();
    }
  }
});

test('languages are fetched when they are asked for', async () => {
  const said = { en: 'Subtract 3', de: 'Auf beiden Seiten 3', es: 'Resta 3 a ambos lados', fr: 'Soustrais 3 des deux membres' };
  for (const [language, text] of Object.entries(said)) {
    const solution = await engine.solve({ problem: '2x + 3 = 7', language });
    assert.ok(solution.steps[0].text.startsWith(text), `${language}: ${solution.steps[0].text}`);
  }
  await assert.rejects(engine.solve({ problem: '2x + 3 = 7', language: 'xx' }), { status: 400 });
  const away = await createEngine({ wasm: module, models, languages: new URL('nowhere/', models) });
  try {
    await assert.rejects(away.solve({ problem: '2x + 3 = 7', language: 'de' }), /nowhere\/de\.json/);
    assert.equal((await away.solve({ problem: '2x + 3 = 7' })).answer, 'x = 2');
  } finally {
    away.close();
  }
  const instance = await Instance.start(module, await compiled('conpole-rest.wasm'));
  const texts = new TextEncoder();
  const call = () => instance.call('solve', '{"problem":"2x=4","language":"de"}');
  assert.equal(call().status, 424);
  for (const wrong of ['', '{}', '{"catalogue": {"x": 1}, "errors": {}}', '[]']) {
    assert.equal(instance.loadModel('de.json', texts.encode(wrong)).status, 422, wrong);
  }
  assert.equal(instance.loadModel('xx.json', texts.encode('{"catalogue": {}, "errors": {}}')).status, 422);
  assert.equal(call().status, 424);
  // What a text lacks is said in English.
  assert.equal(instance.loadModel('de.json', texts.encode('{"catalogue": {}, "errors": {}}')).status, 200);
  assert.equal(call().status, 200);
});

test('a solution has a graph if it is asked for', async () => {
  const { graph } = await engine.solve({ problem: 'x^2 = 2x + 3', graph: true });
  assert.match(graph, /^<svg[^]*y = 2x \+ 3; x = -1, y = 1; x = 3, y = 9<\/desc>/);
  assert.match((await engine.solve({ problem: '2x + 3 < 7', graph: true })).graph, /<desc id="description">x &lt; 2<\/desc>/);
  assert.equal((await engine.solve({ problem: '1/2 + 1/3', graph: true })).graph, null);
  assert.equal('graph' in (await engine.solve({ problem: '2x = 4' })), false);
  for (const { name: domain } of (await engine.domains()).domains) {
    const { problem } = await engine.generate({ domain, seed: 1 });
    const answer = await engine.solve({ domain, problem, graph: true, milliseconds: 200 });
    if (domain !== 'algebra' && domain !== 'equations') assert.equal(answer.graph, null, domain);
  }
});

test('an aborted call stops, and the next one is answered', async () => {
  const controller = new AbortController();
  const calls = [
    engine.solve(kLong, { signal: controller.signal, onProgress: () => controller.abort() }),
    engine.solve({ problem: '3x = 9' }),
  ];
  await assert.rejects(calls[0], { name: 'AbortError' });
  assert.equal((await calls[1]).answer, 'x = 3');
  assert.equal((await engine.generate({ domain: 'equations', seed: 1 })).domain, 'equations');
});

test('a call that waits for its turn can be aborted, and disturbs nobody', async () => {
  const controller = new AbortController();
  const first = engine.solve({ problem: '(3x + 8)/5 = (x - 2)/4' });
  const second = engine.solve({ problem: '3x = 9' }, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await assert.rejects(second, /enough/);
  assert.equal((await first).answer, 'x = -6');
  await assert.rejects(engine.version({}, { signal: controller.signal }), /enough/);
});

test('a search reports its progress', async () => {
  const heard = [];
  const controller = new AbortController();
  const stopped = engine.solve(kLong, {
    signal: controller.signal,
    onProgress: (progress) => {
      heard.push(progress);
      if (heard.length === 2) controller.abort();
    },
  });
  await assert.rejects(stopped, { name: 'AbortError' });
  assert.ok(heard.length >= 2);
  for (const progress of heard) {
    for (const key of ['expanded', 'beam', 'milliseconds']) assert.equal(typeof progress[key], 'number');
  }
  assert.ok(heard[1].expanded > heard[0].expanded);
});

test('an engine can run in this thread', async () => {
  const here = await createEngine({ wasm: module, models, worker: false });
  assert.equal((await here.solve({ problem: '2x + 3 = 7' })).answer, 'x = 2');
  await assert.rejects(here.solve({ problem: '2x + = 7' }), ServiceProblem);
  here.close();
  await assert.rejects(here.version(), /closed/);
});

test('memory does not grow over 10,000 calls', async () => {
  const instance = await Instance.start(module);
  const bytes = await readFile(new URL('sorting.safetensors', models));
  assert.equal(instance.loadModel('sorting.safetensors', bytes).status, 200);
  const calls = [
    ['solve', { problem: '2x + 3 = 7' }],
    ['check', { problem: '2x + 3 = 7', lines: ['2x = 10', '2x = 4'] }],
    ['next', { line: '2x + 3 = 7' }],
    ['hint', { line: '1/2 + 1/3', level: 2 }],
    ['read', { text: '2x + = 7' }],
    ['solve', { domain: 'sorting', problem: '[3, 1, 2]', policy: true }],
    ['solve', { problem: '' }],
    ['nonsense', {}],
  ].map(([operation, request]) => [operation, JSON.stringify(request)]);
  const ask = (count) => {
    for (let i = 0; i < count; ++i) instance.call(...calls[i % calls.length]);
    return instance.memoryBytes;
  };
  const early = ask(2000);
  assert.equal(ask(8000), early);
});
