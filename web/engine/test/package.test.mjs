// The npm package: what is in it, and that its example runs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { packageFolder } from './places.mjs';

function hasNpm() {
  try {
    execFileSync('npm', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('the example of the README runs from the packed package', { skip: hasNpm() ? false : 'npm is missing' }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'conpole-package-'));
  try {
    const npm = (...args) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    const [packed] = JSON.parse(npm('pack', '--json', fileURLToPath(packageFolder)));
    const files = packed.files.map(({ path }) => path);
    for (const file of ['conpole.wasm', 'conpole-rest.wasm', 'languages/de.json', 'index.js', 'index.d.ts', 'worker.js', 'tutor-element.js', 'tutor-element.d.ts', 'xapi.js', 'xapi.d.ts', 'README.md', 'LICENSE', 'package.json']) {
      assert.ok(files.includes(file), `${file} is not in the package: ${files}`);
    }
    assert.ok(!files.some((file) => file.includes('CMake')), `${files}`);
    await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}');
    npm('install', '--offline', '--no-audit', '--no-fund', packed.filename);
    const readme = await readFile(new URL('README.md', packageFolder), 'utf8');
    const [, example] = readme.match(/```js\n([^]*?)```/);
    await writeFile(join(folder, 'example.js'), example);
    const output = execFileSync('node', ['example.js'], { cwd: folder, encoding: 'utf8' });
    assert.match(output, /x = 2 \(verified\)/);
    assert.match(output, /changes its sign/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
