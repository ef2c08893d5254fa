// A course on a learning platform: what is told to it and kept by it, and the package that it imports.

import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {promisify} from 'node:util';
import {inflateRawSync} from 'node:zlib';
import {newCourse, pointsOf, resumed, suspended, withEvent, type Course} from '../../src/platform/course';
import {findApi, ScormSession} from '../../src/platform/scorm';
import {writePackage} from '../../src/platform/scorm_package';
import {writeZip} from '../../src/platform/zip';
import type {WorkEvent} from '../../src/learner/work_event';
import {crc32} from '../../src/share';
import {ScormPlatform} from '../scorm_platform';

const problem = {domain: 'algebra', problem: '2x + 3 = 7'};
const right = (line: string, lines: string[]): WorkEvent => ({...problem, event: 'line', line, lines, correct: true, verdict: 'correct'});
const wrong = (line: string, lines: string[]): WorkEvent => ({...problem, event: 'line', line, lines, correct: false, verdict: 'wrong', mistake: 'lost_sign'});
const hint: WorkEvent = {...problem, event: 'hint', hint: 1};
const shown: WorkEvent = {...problem, event: 'solution'};
const solved: WorkEvent = {...problem, event: 'solved'};

function played(events: [number, WorkEvent][], from: Course = newCourse): Course {
  return events.reduce((course, [index, event], seconds) => withEvent(course, index, event, seconds), from);
}

test('points: one alone, half with hints, none with the solution; what comes after it was solved changes nothing', () => {
  const course = played([
    [0, wrong('2x = 10', ['2x = 10'])],
    [0, right('2x = 4', ['2x = 4'])],
    [0, right('x = 2', ['2x = 4', 'x = 2'])],
    [0, solved],
    [1, hint],
    [1, right('x = 2', ['x = 2'])],
    [1, solved],
    [2, shown],
    [2, right('x = 2', ['x = 2'])],
    [2, solved],
    [0, hint],
    [0, shown],
  ]);
  assert.deepEqual([0, 1, 2, 3].map((index) => pointsOf(course.work[index])), [1, 0.5, 0, 0]);
  assert.deepEqual(course.work[0]?.lines, ['2x = 4', 'x = 2']);
  assert.deepEqual(course.work[0]?.journal, ['2x = 10 [wrong: lost_sign]', '2x = 4', 'x = 2']);
  assert.deepEqual(course.work[1]?.journal, ['[hint 1]', 'x = 2']);
  assert.equal(course.work[0]?.wrong, 1);
});

test('a line that was taken back is gone with the next one', () => {
  const course = played([
    [0, right('2x = 4', ['2x = 4'])],
    [0, wrong('x = 3', ['x = 3'])],
  ]);
  assert.deepEqual(course.work[0]?.lines, []);
});

test('what the platform keeps comes back, and stays within its limit', () => {
  const course = played([[0, right('2x = 4', ['2x = 4'])], [3, hint]]);
  assert.deepEqual(resumed(suspended(course, 64_000), 4), course);
  // An exercise that the set does not have, and texts of anybody.
  assert.deepEqual(Object.keys(resumed(suspended(course, 64_000), 3).work), ['0']);
  for (const text of ['', 'null', '{}', '[1]', '{"version":1,"work":{"0":{"lines":[1]}}}', '{"version":2,"work":{}}']) assert.deepEqual(resumed(text, 4), newCourse);
  const long = 'x'.repeat(300);
  const big = played(Array.from({length: 400}, (_, n) => [n % 100, right(long, [long])]));
  const text = suspended(big, 64_000);
  assert.ok(text.length <= 64_000, String(text.length));
  assert.equal(resumed(text, 100).work[99]?.lines.at(-1), long);
});

test('the platform hears of every exercise, the score and the progress, as the standard has it', () => {
  const platform = new ScormPlatform(null, {passingScore: '0.6'});
  const troubles: string[] = [];
  let now = 1_800_000_000_000;
  const session = new ScormSession(platform, ['2x + 3 = 7', '3x = 12', 'x^2 = 9'], (error) => troubles.push(error), () => (now += 1000));
  const begun = session.begin();
  assert.deepEqual(begun, {learner: 'Lovelace, Ada', kept: '', isReported: true});
  let course = resumed(begun.kept, 3);
  const tell = (index: number, event: WorkEvent): void => {
    course = withEvent(course, index, event, 12.3);
    session.report(course, index);
  };
  tell(1, wrong('3x = 4', ['3x = 4']));
  assert.equal(platform.kept.interactions[0]?.result, 'neutral');
  tell(1, right('x = 4', ['x = 4']));
  tell(1, solved);
  tell(0, hint);
  tell(0, right('x = 2', ['x = 2']));
  tell(0, solved);
  assert.equal(platform.kept.values['cmi.completion_status'], 'incomplete');
  assert.equal(platform.kept.values['cmi.success_status'], undefined);
  session.end(course);

  // The next visit goes on where this one ended.
  const again = new ScormPlatform(platform.kept, {passingScore: '0.6'});
  const next = new ScormSession(again, ['2x + 3 = 7', '3x = 12', 'x^2 = 9'], (error) => troubles.push(error), () => (now += 1000));
  course = resumed(next.begin().kept, 3);
  course = withEvent(course, 2, shown, 3);
  next.report(course, 2);
  course = withEvent(course, 2, solved, 4);
  next.report(course, 2);
  next.end(course);
  next.end(course);
  assert.deepEqual([platform.errors, again.errors, troubles], [[], [], []]);
  const {values, interactions} = again.kept;
  assert.deepEqual(interactions.map(({id, type, result}) => [id, type, result]), [
    ['exercise-2', 'long-fill-in', 'correct'],
    ['exercise-1', 'long-fill-in', 'correct'],
    ['exercise-3', 'long-fill-in', 'incorrect'],
  ]);
  assert.equal(interactions[0]?.learner_response, '3x = 4 [wrong: lost_sign]\nx = 4');
  assert.equal(interactions[0]?.latency, 'PT12S');
  assert.equal(interactions[0]?.description, '3x = 12');
  const told = ['score.raw', 'score.min', 'score.max', 'score.scaled', 'progress_measure', 'completion_status', 'success_status', 'location', 'exit'];
  assert.deepEqual(told.map((name) => values[`cmi.${name}`]), ['1.5', '0', '3', '0.5', '1', 'completed', 'failed', '3', 'suspend']);
  assert.ok(again.isOver);
});

test('who only looks at it is not reported, and what the platform refuses is said', () => {
  const looking = new ScormPlatform(null, {mode: 'review'});
  const session = new ScormSession(looking, ['x = 2'], () => assert.fail());
  assert.equal(session.begin().isReported, false);
  session.report(played([[0, solved]]), 0);
  assert.deepEqual([looking.kept.interactions, looking.commits], [[], 0]);

  const troubles: string[] = [];
  const broken = new ScormPlatform();
  const refusing = {...broken, SetValue: (name: string, value: string) => (name === 'cmi.score.raw' ? 'false' : broken.SetValue(name, value)), GetLastError: () => '391'};
  const other = new ScormSession(refusing, ['x = 2'], (error) => troubles.push(error));
  other.begin();
  other.report(newCourse, null);
  assert.deepEqual(troubles, ['391']);
});

test('the platform is found in the frames around the page, or around the window that opened it', () => {
  const api = new ScormPlatform();
  const top = {API_1484_11: api, opener: null} as unknown as Window & {parent: Window};
  top.parent = top;
  const frame = {parent: {parent: top}, opener: null} as unknown as Window;
  assert.equal(findApi(frame), api);
  const alone = {opener: frame} as unknown as Window & {parent: Window};
  alone.parent = alone;
  assert.equal(findApi(alone), api);
  const nobody = {opener: null} as unknown as Window & {parent: Window};
  nobody.parent = nobody;
  assert.equal(findApi(nobody), null);
  const foreign = new Proxy({} as Window, {get: () => assert.fail('SecurityError')});
  assert.equal(findApi({parent: foreign, opener: null} as unknown as Window), null);
});

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** The files of an archive, read by its directory. */
function readZip(zip: Uint8Array): Map<string, Buffer> {
  const data = Buffer.from(zip);
  const end = data.length - 22;
  assert.equal(data.readUInt32LE(end), 0x06054b50);
  const files = new Map<string, Buffer>();
  let at = data.readUInt32LE(end + 16);
  for (let n = 0; n < data.readUInt16LE(end + 10); ++n) {
    assert.equal(data.readUInt32LE(at), 0x02014b50);
    const nameLength = data.readUInt16LE(at + 28);
    const name = data.toString('utf8', at + 46, at + 46 + nameLength);
    const local = data.readUInt32LE(at + 42);
    const start = local + 30 + data.readUInt16LE(local + 26);
    const stored = data.subarray(start, start + data.readUInt32LE(at + 20));
    const content = data.readUInt16LE(at + 10) === 8 ? inflateRawSync(stored) : stored;
    assert.equal(content.length, data.readUInt32LE(at + 24));
    assert.equal(crc32(content), data.readUInt32LE(at + 16));
    files.set(name, content);
    at += 46 + nameLength;
  }
  return files;
}

test('an archive has every file as it was, also for other programs', async () => {
  const noise = crypto.getRandomValues(new Uint8Array(5000));
  const files = [
    {path: 'a.txt', content: bytes('a'.repeat(10_000))},
    {path: 'deep/über.bin', content: noise},
    {path: 'empty', content: bytes('')},
  ];
  const zip = await writeZip(files);
  assert.ok(zip.length < 6000);
  assert.deepEqual([...readZip(zip)], files.map(({path, content}) => [path, Buffer.from(content)]));
  assert.deepEqual(zip, await writeZip(files));
  const folder = await mkdtemp(join(tmpdir(), 'conpole-zip-'));
  await writeFile(join(folder, 'a.zip'), zip);
  const read = await promisify(execFile)('python3', ['-c', 'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.namelist())', join(folder, 'a.zip')], {env: {...process.env, PYTHONIOENCODING: 'utf-8'}});
  await rm(folder, {recursive: true});
  assert.equal(read.stdout.trim(), "None ['a.txt', 'deep/über.bin', 'empty']");
});

test('a package has the page with the set, the models that it needs, and a manifest of exactly its files', async () => {
  const page: Record<string, string> = {
    'index.html': await readFile('index.html', 'utf8'),
    'service-worker.js': 'worker',
    'assets/main-1.js': 'script',
    'models/sorting.safetensors': 'weights',
    'models/rubiks-cube.safetensors': 'many weights',
  };
  const make = async (domains: string[] | null, title = 'Week 12'): Promise<Map<string, Buffer>> =>
    readZip(await writePackage({title, fragment: '1.ab-c_d', domains, files: Object.keys(page), read: async (path) => bytes(page[path] ?? '')}));
  const files = await make(['algebra', 'sorting:max=5'], 'Über <b> & "c"\u0001');
  assert.deepEqual([...files.keys()].sort(), ['assets/main-1.js', 'imsmanifest.xml', 'index.html', 'models/sorting.safetensors']);
  assert.match(String(files.get('index.html')), /<meta name="conpole-set" content="1\.ab-c_d" \/>\s*<\/head>/);
  const manifest = String(files.get('imsmanifest.xml'));
  const listed = [...manifest.matchAll(/<file href="([^"]*)"/g)].map(([, href]) => href);
  assert.deepEqual([...listed, 'imsmanifest.xml'].sort(), [...files.keys()].sort());
  assert.match(manifest, /<title>Über &lt;b&gt; &amp; &quot;c&quot;<\/title>/);
  assert.match(manifest, /<schemaversion>2004 3rd Edition<\/schemaversion>/);
  assert.match(manifest, /adlcp:scormType="sco" href="index.html"/);
  assert.ok((await make(null)).has('models/sorting.safetensors'));
  assert.ok(!(await make(null)).has('models/rubiks-cube.safetensors'));
});
