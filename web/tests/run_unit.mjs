// Bundles every tests/unit/*.test.ts(x) and runs them with Node's test runner: node tests/run_unit.mjs [NAME...]

import {spawnSync} from 'node:child_process';
import {mkdir, readdir, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const tests = dirname(fileURLToPath(import.meta.url));
const out = join(dirname(tests), '.cache', 'unit');
const wanted = process.argv.slice(2);
const names = (await readdir(join(tests, 'unit'))).filter(
  (name) => /\.test\.tsx?$/.test(name) && (wanted.length === 0 || wanted.some((part) => name.includes(part))),
);
if (names.length === 0) {
  console.error(`No unit test is called ${wanted.join(' or ')}.`);
  process.exit(1);
}
await rm(out, {recursive: true, force: true});
await mkdir(out, {recursive: true});
await build({
  entryPoints: names.map((name) => join(tests, 'unit', name)),
  outdir: out,
  outExtension: {'.js': '.mjs'},
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node18',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
});
const files = names.map((name) => join(out, name.replace(/\.tsx?$/, '.mjs')));
process.exit(spawnSync(process.execPath, ['--test', ...files], {stdio: 'inherit'}).status ?? 1);
