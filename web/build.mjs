// Builds the page into web/dist, or into the folder given with --out: a folder that any web server can serve, from any path.
//
//   node build.mjs [--out DIR] [--fast]      --fast: neither minified nor compressed, for trying things
//
// 1. The engine: its two parts and its languages from build-wasm, its worker bundled, the models of ../models; the page's languages.
// 2. The page: scripts, styles and fonts with the hash of their content in their names.
// 3. index.html with these names, the service worker with the list of all of them, and files.json with the same list and what is fetched late.
// 4. Beside every file that shrinks by it, .br and .gz, for servers that send them.

import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {cp, mkdir, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {basename, dirname, extname, join, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs, promisify} from 'node:util';
import zlib from 'node:zlib';
import {build} from 'esbuild';

const web = dirname(fileURLToPath(import.meta.url));
const root = dirname(web);
const {values: options} = parseArgs({
  options: {out: {type: 'string', default: join(web, 'dist')}, fast: {type: 'boolean', default: false}},
});
const out = resolve(options.out);
const engineBuild = process.env.CONPOLE_WASM ?? join(root, 'build-wasm', 'web', 'engine');

function fail(message) {
  console.error(`build.mjs: ${message}`);
  process.exit(1);
}

/** Refuses to clear a folder that is not one of ours. */
async function emptyOut() {
  if (existsSync(out)) {
    const own = /^(assets|engine|languages|models|(index\.html|service-worker\.js|icon\.svg|manifest\.webmanifest|files\.json)(\.br|\.gz)?)$/;
    const other = (await readdir(out)).find((name) => !own.test(name));
    if (other !== undefined) fail(`${out} has ${other}, which is no part of a page: choose another folder`);
    await rm(out, {recursive: true});
  }
  await mkdir(out, {recursive: true});
}

async function hashed(path, folder) {
  const content = await readFile(path);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
  const name = `${folder}/${basename(path, extname(path))}-${hash}${extname(path)}`;
  await mkdir(join(out, folder), {recursive: true});
  await writeFile(join(out, name), content);
  return `./${name}`;
}

const common = {
  bundle: true,
  format: 'esm',
  target: ['es2022', 'chrome119', 'firefox121', 'safari17'],
  minify: !options.fast,
  legalComments: 'none',
  metafile: true,
  outdir: out,
  logLevel: 'warning',
};

const wasm = join(engineBuild, 'conpole.wasm');
const rest = join(engineBuild, 'conpole-rest.wasm');
const worker = join(web, 'engine', 'worker.js');

function requireEngine() {
  for (const needed of [wasm, rest, worker]) {
    if (!existsSync(needed)) fail(`${relative(root, needed)} is missing: build the engine first (cmake --preset wasm, see docs/page.md)`);
  }
}

async function buildEngine() {
  const built = await build({
    ...common,
    entryPoints: {worker},
    entryNames: 'engine/[name]-[hash]',
  });
  await mkdir(join(out, 'models'), {recursive: true});
  for (const name of await readdir(join(root, 'models'))) {
    if (name.endsWith('.safetensors')) await cp(join(root, 'models', name), join(out, 'models', name));
  }
  await copyLanguages();
  const folders = {models: './models/', languages: './languages/'};
  return {wasm: await hashed(wasm, 'engine'), rest: await hashed(rest, 'engine'), worker: `./${outputOf(built, worker)}`, ...folders, lateFiles: await lateFiles()};
}

/** What the engine says and what the page says, in other languages than English: a file for each. */
async function copyLanguages() {
  await mkdir(join(out, 'languages'), {recursive: true});
  for (const {code} of JSON.parse(await readFile(join(root, 'src', 'language', 'languages.json'), 'utf8'))) {
    if (code === 'en') continue;
    await cp(join(engineBuild, 'languages', `${code}.json`), join(out, 'languages', `${code}.json`));
    const texts = JSON.parse(await readFile(join(web, 'src', 'i18n', `${code}.json`), 'utf8'));
    await writeFile(join(out, 'languages', `page.${code}.json`), JSON.stringify(texts));
  }
}

/** What is fetched when it is needed, models and languages, with a hash of its content, smallest first. */
async function lateFiles() {
  const files = [];
  for (const folder of ['models', 'languages']) {
    for (const name of await readdir(join(out, folder))) {
      const content = await readFile(join(out, folder, name));
      const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
      files.push({path: `./${folder}/${name}`, size: content.length, hash});
    }
  }
  return files.sort((a, b) => a.size - b.size).map(({path, hash}) => ({path, hash}));
}

/** The name, relative to the page, of the file that was built from an entry point. */
function outputOf(built, entry) {
  const path = relative(process.cwd(), entry);
  const found = Object.entries(built.metafile.outputs).find(([, output]) => output.entryPoint === path);
  if (found === undefined) fail(`nothing was built from ${path}`);
  return relative(out, resolve(found[0]));
}

/** What the modules of entry points import at once, in turn, and these modules: so that a browser can fetch all of it in one go. */
function filesOf(built, entries) {
  const {outputs} = built.metafile;
  const found = new Set();
  const add = (name) => {
    if (found.has(name)) return;
    found.add(name);
    for (const {path, kind} of outputs[name].imports) if (kind === 'import-statement') add(path);
  };
  for (const entry of entries) add(relative(process.cwd(), join(out, outputOf(built, entry))));
  return [...found].map((name) => relative(out, resolve(name)));
}

async function buildPage(files) {
  const virtualFiles = {
    name: 'conpole-files',
    setup(plugin) {
      plugin.onResolve({filter: /^conpole\/files$/}, () => ({path: 'files', namespace: 'conpole'}));
      plugin.onLoad({filter: /.*/, namespace: 'conpole'}, () => ({
        contents: Object.entries(files).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join('\n'),
      }));
    },
  };
  const script = join(web, 'src', 'main.tsx');
  const styles = join(web, 'src', 'styles', 'page.css');
  const built = await build({
    ...common,
    entryPoints: [script, styles],
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: {'.woff2': 'file', '.domain': 'text'},
    alias: {conpole: join(engineBuild, 'index.js')},
    plugins: [virtualFiles],
  });
  await cp(join(web, 'src', 'public'), out, {recursive: true});
  const preloads = filesOf(built, [script, join(web, 'src', 'learner', 'learner_view.tsx')]);
  const html = (await readFile(join(web, 'index.html'), 'utf8'))
    .replace('@STYLES@', `./${outputOf(built, styles)}`)
    .replace('@SCRIPT@', `./${outputOf(built, script)}`)
    .replace('@PRELOADS@', preloads.map((name) => `<link rel="modulepreload" href="./${name}" />`).join('\n    '));
  await writeFile(join(out, 'index.html'), html);
}

async function allFiles(folder = out) {
  const entries = await readdir(folder, {withFileTypes: true, recursive: true});
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** The list of what the page is made of, for those who pack it (src/platform/scorm_package.ts); it is fetched when somebody does. */
async function listFiles() {
  const files = (await allFiles()).map((path) => relative(out, path).split('\\').join('/')).sort();
  await writeFile(join(out, 'files.json'), JSON.stringify(files));
}

/** Everything but models, languages and what few need is fetched at the first visit. The view of a course is for packages alone. */
async function buildServiceWorker() {
  const files = (await allFiles()).map((path) => relative(out, path).split('\\').join('/')).sort();
  const page = files.filter((name) => !/^(models|languages)\/|^assets\/course_view-/.test(name));
  const isLate = (name) => /^(assets\/(?!learner|practice)\w+_view|assets\/(cube_entry|KaTeX_Size\d-Regular)|engine\/conpole-rest)-/.test(name);
  const version = createHash('sha256');
  for (const name of files) version.update(name).update(await readFile(join(out, name)));
  const digest = version.digest('hex').slice(0, 12);
  await build({
    ...common,
    entryPoints: {'service-worker': join(web, 'src', 'service_worker.ts')},
    format: 'iife',
    define: {
      PRECACHED: JSON.stringify(page.filter((name) => !isLate(name)).map((name) => (name === 'index.html' ? './' : `./${name}`))),
      LATER: JSON.stringify(page.filter(isLate).map((name) => `./${name}`)),
      VERSION: JSON.stringify(digest),
    },
  });
}

const compressible = new Set(['.html', '.js', '.mjs', '.css', '.svg', '.json', '.webmanifest', '.wasm', '.safetensors']);

async function compress() {
  const gzip = promisify(zlib.gzip);
  const brotli = promisify(zlib.brotliCompress);
  for (const path of await allFiles()) {
    if (!compressible.has(extname(path))) continue;
    const content = await readFile(path);
    // Weights are almost random: more effort gains nothing there.
    const params = {[zlib.constants.BROTLI_PARAM_QUALITY]: extname(path) === '.safetensors' ? 6 : 11};
    const variants = [
      ['.gz', await gzip(content, {level: 9})],
      ['.br', await brotli(content, {params})],
    ];
    for (const [suffix, compressed] of variants) {
      if (compressed.length < 0.95 * content.length) await writeFile(path + suffix, compressed);
    }
  }
}

requireEngine();
await emptyOut();
await buildPage(await buildEngine());
await buildServiceWorker();
await listFiles();
if (!options.fast) await compress();
console.log(`The page is in ${relative(process.cwd(), out) || '.'}.`);
