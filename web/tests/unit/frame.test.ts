import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
import {test} from 'node:test';
import {lazyEngine} from '../../src/engine/context';
import {isAbort, isProblem, tutorOf, type Engine} from '../../src/engine/engine';
import {about} from '../../src/i18n/about';
import {classroom} from '../../src/i18n/classroom';
import {domainNames} from '../../src/i18n/domains';
import {frame} from '../../src/i18n/frame';
import {learner} from '../../src/i18n/learner';
import {logTexts} from '../../src/i18n/log';
import {practice} from '../../src/i18n/practice';
import {research} from '../../src/i18n/research';
import {runs} from '../../src/i18n/runs';
import {pictures} from '../../src/i18n/pictures';
import {people} from '../../src/i18n/people';
import {platform} from '../../src/i18n/platform';
import {playground} from '../../src/i18n/playground';
import {addTexts, languages, translator, type Table, type Texts} from '../../src/i18n/table';
import {teacher} from '../../src/i18n/teacher';
import {readPractising, readProgress} from '../../src/learner/progress';
import {withoutStyles} from '../../src/parts/inline_styles';
import {indexOfByte} from '../../src/parts/text_position';
import {link, readRoute} from '../../src/router';
import {preferredLanguage, readSettings} from '../../src/state/settings';
import {forget, recall, remember} from '../../src/state/storage';

const tables: Record<string, Table<string>> = {
  about, classroom, domains: domainNames, frame, learner, log: logTexts, people, pictures, platform, playground, practice, research, runs, teacher,
};

const slots = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test('every language has the same texts with the same slots, and no empty one', async () => {
  for (const {code} of languages) {
    if (code === 'en') continue;
    const texts = JSON.parse(await readFile(`src/i18n/${code}.json`, 'utf8')) as Texts;
    assert.deepEqual(Object.keys(texts).sort(), Object.keys(tables).sort(), code);
    for (const [name, {en}] of Object.entries(tables)) {
      const local = texts[name] ?? {};
      assert.deepEqual(Object.keys(local).sort(), Object.keys(en).sort(), `${code}: ${name}`);
      for (const [key, text] of Object.entries(en)) {
        assert.deepEqual(slots(local[key] ?? ''), slots(text), `${code}: ${name}.${key}`);
        assert.ok(text.trim() !== '' && local[key]?.trim() !== '', `${code}: ${name}.${key}`);
      }
    }
  }
});

test('texts that count are right for none, one, two and twelve, in every language', async () => {
  const said: string[] = [];
  for (const {code} of languages) {
    const local = code === 'en' ? {} : (JSON.parse(await readFile(`src/i18n/${code}.json`, 'utf8')) as Texts);
    addTexts(code, local);
    said.push(`# ${code}`);
    for (const [name, table] of Object.entries(tables)) {
      for (const [key, english] of Object.entries(table.en)) {
        const text = local[name]?.[key] ?? english;
        const counted = [...text.matchAll(/\{(\w+)\|/g)].map(([, slot]) => slot);
        if (counted.length === 0) continue;
        for (const number of [0, 1, 2, 12]) {
          const values = Object.fromEntries([...text.matchAll(/\{(\w+)/g)].map(([, slot]) => [slot, counted.includes(slot) ? number : '…']));
          said.push(translator(table, code)(key, values));
          assert.doesNotMatch(said.at(-1) ?? '', /[{}|]/, `${code}: ${name}.${key}`);
        }
      }
    }
  }
  assert.ok(said.length > 200);
  // What comes out is read by people: CONPOLE_UPDATE_GOLDEN=1 writes it.
  const transcript = `${said.join('\n')}\n`;
  if (process.env.CONPOLE_UPDATE_GOLDEN !== undefined) await writeFile('tests/unit/counted.txt', transcript);
  assert.equal(transcript, await readFile('tests/unit/counted.txt', 'utf8'));
});

test('the element for other pages has every language', async () => {
  const element = await readFile('engine/tutor-element.js', 'utf8');
  for (const {code} of languages) assert.match(element, new RegExp(`^  ${code}: \\{line: `, 'm'));
});

test('the language is the first wanted one that there is', () => {
  assert.equal(preferredLanguage(['de-AT', 'en']), 'de');
  assert.equal(preferredLanguage(['nl-BE', 'de', 'en']), 'de');
  assert.equal(preferredLanguage(['en-GB', 'de']), 'en');
  assert.equal(preferredLanguage(['nl']), 'en');
  assert.equal(preferredLanguage([]), 'en');
});


test('slots are filled, unknown ones stay', () => {
  const t = translator({name: 'test', en: {a: '{n} of {all}, {n}', b: 'b'}}, 'de');
  assert.equal(t('a', {n: 2}), '2 of {all}, 2');
  addTexts('de', {test: {a: '{n} von {all}'}});
  const german = translator({name: 'test', en: {a: '{n} of {all}, {n}', b: 'b'}}, 'de');
  assert.equal(german('a', {n: 2, all: 3}), '2 von 3');
  assert.equal(german('b'), 'b');
});

test('routes are read back', () => {
  assert.deepEqual(readRoute(''), {view: '', rest: ''});
  assert.deepEqual(readRoute('#/'), {view: '', rest: ''});
  assert.deepEqual(readRoute(link('practice', 'brackets/2')), {view: 'practice', rest: 'brackets/2'});
  assert.deepEqual(readRoute('#practice'), {view: 'practice', rest: ''});
});

test('bytes become indices', () => {
  assert.equal(indexOfByte('2x + = 4', 5), 5);
  assert.equal(indexOfByte('ä + 1', 3), 2);
  assert.equal(indexOfByte('ä', 1), 0);
  assert.equal(indexOfByte('😀+', 4), 2);
  assert.equal(indexOfByte('€x', 3), 1);
  assert.equal(indexOfByte('abc', 99), 3);
});

function fakeStorage(content: Map<string, string>, isFull = false): Storage {
  return {
    getItem: (key: string) => content.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new Error('QuotaExceededError');
      content.set(key, value);
    },
    removeItem: (key: string) => void content.delete(key),
  } as Storage;
}

test('what is stored is read back, and garbage is not there', () => {
  const content = new Map<string, string>();
  Object.assign(globalThis, {localStorage: fakeStorage(content)});
  const number = (stored: unknown): number | undefined => (typeof stored === 'number' ? stored : undefined);
  assert.equal(recall('n', number), undefined);
  remember('n', 3);
  assert.equal(recall('n', number), 3);
  for (const garbage of ['', '{', 'null', '"3"', '\u0000']) {
    for (const key of content.keys()) content.set(key, garbage);
    assert.equal(recall('n', number), undefined, garbage);
  }
  forget('n');
  assert.equal(content.size, 0);
});

test('a browser that stores nothing does not stop the page', () => {
  Object.assign(globalThis, {localStorage: fakeStorage(new Map(), true)});
  remember('n', 3);
  assert.equal(recall('n', (stored) => stored), undefined);
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get: () => {
      throw new Error('SecurityError');
    },
  });
  remember('n', 3);
  forget('n');
  assert.equal(recall('n', (stored) => stored), undefined);
});

test('settings and progress keep what makes sense', () => {
  assert.deepEqual(readSettings({language: 'de', theme: 'pink'}), {language: 'de'});
  assert.equal(readSettings([]), undefined);
  assert.deepEqual(readProgress({brackets: {levels_mastered: 2, in_a_row: 1, level: 3}, x: 1, y: {levels_mastered: -1}, z: {level: 1e9}}), {
    brackets: {levels_mastered: 2, in_a_row: 1, level: 3},
  });
  assert.equal(readProgress('x'), undefined);
  assert.deepEqual(readPractising({skill: 'brackets', level: 2, seed: 7}), {skill: 'brackets', level: 2, seed: 7, isCounted: false});
  for (const bad of [null, {skill: 1}, {skill: 'a', level: 0, seed: 1}, {skill: 'a', level: 1, seed: 0.5}, {skill: 'a', level: 1, seed: -1}]) {
    assert.equal(readPractising(bad), undefined);
  }
});

test('markup comes in without style attributes', () => {
  assert.equal(withoutStyles('<a style="x:1"><b style=\'y:2\'>'), '<a data-mathlive-style="x:1"><b data-mathlive-style=\'y:2\'>');
  assert.equal(withoutStyles('<span class=c  style="visibility:hidden">'), '<span class=c >');
});

test('the tutor adds the language and asks for markup', async () => {
  const asked: [string, object][] = [];
  const engine: Engine = {call: async <T>(operation: string, request: object) => (asked.push([operation, request]), {} as T), close: () => undefined};
  await tutorOf(engine, 'de').check({problem: 'x=1', lines: ['x=2']});
  await tutorOf(engine, 'en').domains();
  assert.deepEqual(asked, [
    ['check', {problem: 'x=1', lines: ['x=2'], language: 'de', markup: true}],
    ['domains', {}],
  ]);
});

test('the engine starts once, and again after a failure', async () => {
  let starts = 0;
  const engine = lazyEngine(async () => {
    if (++starts === 1) throw new Error('no network');
    return {call: async <T>() => starts as T, close: () => undefined};
  });
  await assert.rejects(engine.call('version', {}), /no network/);
  assert.deepEqual(await Promise.all([engine.call('version', {}), engine.call('version', {})]), [2, 2]);
});

test('answers, interruptions and other errors are told apart', () => {
  assert.ok(isProblem(Object.assign(new Error('x'), {detail: 'x', status: 422})));
  assert.ok(!isProblem(new Error('x')));
  assert.ok(!isProblem({detail: 'x', status: 422}));
  assert.ok(isAbort(new DOMException('x', 'AbortError')));
  assert.ok(!isAbort(new Error('AbortError')));
});
