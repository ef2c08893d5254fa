// Makes a SCORM 2004 package of an exercise set, as the page does (Teach, "Download as a SCORM package"):
//
//   node package_set.mjs LINK [--page DIR] [--out FILE]      LINK: that of the set, or the part of it after #/set/
//
// The page is that of web/dist, or of any folder that build.mjs wrote.

import {readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {build} from 'esbuild';

const web = dirname(fileURLToPath(import.meta.url));

function fail(message) {
  console.error(`package_set.mjs: ${message}`);
  process.exit(1);
}

/** The modules of the page that know what a set and what a package is. */
async function modules() {
  const contents = "export {readSet} from './src/share'; export {isSkillItem} from './src/share'; export {writePackage} from './src/platform/scorm_package';";
  const built = await build({stdin: {contents, resolveDir: web, loader: 'ts'}, bundle: true, format: 'esm', write: false, logLevel: 'error'});
  return import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString('base64')}`);
}

const {values: options, positionals} = parseArgs({
  options: {page: {type: 'string', default: join(web, 'dist')}, out: {type: 'string', default: 'exercises.zip'}},
  allowPositionals: true,
});
if (positionals.length !== 1) fail('usage: node package_set.mjs LINK [--page DIR] [--out FILE]');
const fragment = positionals[0].replace(/^.*#\/set\//, '');
const {readSet, isSkillItem, writePackage} = await modules();
const read = await readSet(fragment);
if (!read.ok || read.set.items.length === 0) fail('this is no link to an exercise set');
const {set} = read;
// Which domain an exercise of a skill is of, only the engine knows.
const domains = set.items.some(isSkillItem) ? null : set.items.map(({domain}) => domain);
const readPage = async (path) => new Uint8Array(await readFile(join(options.page, path)));
const files = JSON.parse(await readFile(join(options.page, 'files.json'), 'utf8').catch(() => fail(`${options.page} has no page`)));
const content = await writePackage({title: set.title === '' ? 'Exercises' : set.title, fragment, domains, files, read: readPage});
await writeFile(options.out, content);
console.log(`${options.out} has ${(content.length / 1e6).toFixed(1)} MB and ${set.items.length} exercises.`);
