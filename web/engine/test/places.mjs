// Where the tests find what they need: the package that was built, the repository, and the native service, if there is one.
import { execFileSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const repository = new URL('../../../', import.meta.url);
export const packageFolder = pathToFileURL(`${process.env.CONPOLE_ENGINE ?? fileURLToPath(new URL('build-wasm/web/engine', repository))}/`);
export const models = new URL('models/', repository);

export const { createEngine, ServiceProblem } = await import(new URL('index.js', packageFolder));
export const { Instance } = await import(new URL('instance.js', packageFolder));

const tool = process.env.CONPOLE_SERVICE_TOOL;
export const nativeIsMissing = tool ? false : 'the native service_tool was not named (run.sh --native)';

/** The native answers to [operation, request] pairs: {status, milliseconds, body}. */
export function nativeAnswers(requests) {
  const input = requests.map(([operation, request]) => `${operation}\t${JSON.stringify(request)}\n`).join('');
  const output = execFileSync(tool, [fileURLToPath(models)], { input, maxBuffer: 1 << 30, encoding: 'utf8' });
  return output.trimEnd().split('\n').map((line) => {
    const [status, milliseconds, ...body] = line.split('\t');
    return { status: Number(status), milliseconds: Number(milliseconds), body: JSON.parse(body.join('\t')) };
  });
}

/** An answer without what differs from run to run. */
export function withoutTimes(body) {
  return JSON.parse(JSON.stringify(body, (key, value) => (key === 'milliseconds' ? undefined : value)));
}

const kRounded = new Set(['probability', 'score', 'cosine', 'x', 'y']);

/** An answer with what networks computed as the other one has it, where both are the same up to rounding. */
export function roundedAs(other, body) {
  if (body === null || other === null || typeof body !== 'object' || typeof other !== 'object') return body;
  if (Array.isArray(body)) return body.map((value, i) => roundedAs(other[i] ?? null, value));
  return Object.fromEntries(Object.entries(body).map(([key, value]) =>
    [key, kRounded.has(key) && Math.abs(value - other[key]) < 1e-4 ? other[key] : roundedAs(other[key] ?? null, value)]));
}
