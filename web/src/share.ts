// An exercise set, or any text, as part of a link, and back. It is in the link itself, so that nothing needs to be stored anywhere:
//
//   1.BASE64URL    the number of the format, then CRC-32 and a raw deflate stream of the text; of a set, compact JSON
//
// Reading is strict: whatever is not exactly what writing gives is refused with a reason, and nothing is thrown.

import {isLanguage, type Language} from './i18n/table';

/** A problem as its text, or one that is generated anew from a skill, a level and a seed. */
export interface ProblemItem {
  domain: string;
  problem: string;
}
export interface SkillItem {
  skill: string;
  level: number;
  seed: number;
}
export type SetItem = ProblemItem | SkillItem;

export interface ExerciseSet {
  version: 1;
  title: string;
  language: Language;
  /** Whether pupils may ask for hints and see solutions. */
  hints: boolean;
  items: SetItem[];
}

export type ReadFailure = 'empty' | 'version' | 'damaged' | 'too-large';
export type ReadResult = {ok: true; set: ExerciseSet} | {ok: false; reason: ReadFailure};

export const limits = {
  items: 100,
  titleLength: 200,
  domainLength: 200,
  problemLength: 2000,
  skillLength: 60,
  level: 20,
  linkLength: 60_000,
  textBytes: 400_000,
} as const;

const formatNumber = '1';

export function isSkillItem(item: SetItem): item is SkillItem {
  return 'skill' in item;
}

/** The part of a link that stands for a set. Throws a RangeError if the set is over a limit. */
export async function writeSet(set: ExerciseSet): Promise<string> {
  if (setFromCompact(compactOf(set)) === null) throw new RangeError('the exercise set is over a limit');
  return packText(JSON.stringify(compactOf(set)));
}

/** The set that a part of a link stands for, or why there is none. Never rejects. */
export async function readSet(fragment: string): Promise<ReadResult> {
  const unpacked = await unpackText(fragment);
  if (!unpacked.ok) return unpacked;
  try {
    const set = setFromCompact(JSON.parse(unpacked.text));
    return set === null ? {ok: false, reason: 'damaged'} : {ok: true, set};
  } catch {
    return {ok: false, reason: 'damaged'};
  }
}

/** A part of a link that stands for any text. Throws a RangeError if it is too long. */
export async function packText(text: string): Promise<string> {
  const content = new TextEncoder().encode(text);
  const packed = await collect(new Blob([content]).stream().pipeThrough(new CompressionStream('deflate-raw')), Infinity);
  const bytes = new Uint8Array(4 + packed.length);
  new DataView(bytes.buffer).setUint32(0, crc32(packed));
  bytes.set(packed, 4);
  const fragment = `${formatNumber}.${toBase64Url(bytes)}`;
  if (fragment.length > limits.linkLength || content.length > limits.textBytes) throw new RangeError('it is too long for a link');
  return fragment;
}

/** The text that packText made a part of a link from, or why there is none. Never rejects. */
export async function unpackText(fragment: string): Promise<{ok: true; text: string} | {ok: false; reason: ReadFailure}> {
  const failed = (reason: ReadFailure) => ({ok: false, reason}) as const;
  try {
    if (fragment === '') return failed('empty');
    if (fragment.length > limits.linkLength) return failed('too-large');
    const dot = fragment.indexOf('.');
    if (dot < 0) return failed('damaged');
    const number = fragment.slice(0, dot);
    if (number !== formatNumber) return failed(/^[1-9][0-9]{0,3}$/.test(number) ? 'version' : 'damaged');
    const bytes = fromBase64Url(fragment.slice(dot + 1));
    if (bytes === null || bytes.length < 5) return failed('damaged');
    const packed = bytes.subarray(4);
    if (new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) !== crc32(packed)) return failed('damaged');
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const content = await collect(stream, limits.textBytes);
    return {ok: true, text: new TextDecoder('utf-8', {fatal: true}).decode(content)};
  } catch (error) {
    return failed(error instanceof TooLarge ? 'too-large' : 'damaged');
  }
}

class TooLarge extends Error {}

async function collect(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const {done, value} = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel().catch(() => undefined);
      throw new TooLarge();
    }
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

// [version, title, language, hints, [[domain, problem] | [skill, level, seed], ...]]
type Compact = [number, string, string, number, (readonly [string, string] | readonly [string, number, number])[]];

function compactOf(set: ExerciseSet): Compact {
  const items = set.items.map((item) =>
    isSkillItem(item) ? ([item.skill, item.level, item.seed] as const) : ([item.domain, item.problem] as const),
  );
  return [set.version, set.title, set.language, set.hints ? 1 : 0, items];
}

function setFromCompact(value: unknown): ExerciseSet | null {
  if (!Array.isArray(value) || value.length !== 5) return null;
  const [version, title, language, hints, list] = value as unknown[];
  if (version !== 1 || !isText(title, 0, limits.titleLength)) return null;
  if (!isLanguage(language)) return null;
  if (hints !== 0 && hints !== 1) return null;
  if (!Array.isArray(list) || list.length > limits.items) return null;
  const items: SetItem[] = [];
  for (const entry of list as unknown[]) {
    const item = itemFromCompact(entry);
    if (item === null) return null;
    items.push(item);
  }
  return {version, title, language, hints: hints === 1, items};
}

function itemFromCompact(entry: unknown): SetItem | null {
  if (!Array.isArray(entry)) return null;
  const [first, second, third] = entry as unknown[];
  if (entry.length === 2) {
    if (!isText(first, 1, limits.domainLength) || !isText(second, 1, limits.problemLength)) return null;
    return {domain: first, problem: second};
  }
  if (entry.length !== 3 || !isText(first, 1, limits.skillLength)) return null;
  if (!isWhole(second, 1, limits.level) || !isWhole(third, 0, Number.MAX_SAFE_INTEGER)) return null;
  return {skill: first, level: second, seed: third};
}

function isText(value: unknown, least: number, most: number): value is string {
  return typeof value === 'string' && value.length >= least && value.length <= most && isWellFormed(value);
}

// A lone surrogate would come back as another character.
function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:[^\uD800-\uDBFF]|^)[\uDC00-\uDFFF]/.test(text);
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const count = Math.min(bytes.length - i, 3) + 1;
    for (let k = 0; k < count; ++k) text += digits[(group >> (18 - 6 * k)) & 63];
  }
  return text;
}

/** Nothing for a text that toBase64Url does not give. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const character of text) {
    const digit = digits.indexOf(character);
    if (digit < 0) return null;
    bits = ((bits << 6) | digit) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[at++] = (bits >> held) & 0xff;
    }
  }
  return (bits & ((1 << held) - 1)) === 0 ? bytes : null;
}

let crcTable: Uint32Array | undefined;

export function crc32(bytes: Uint8Array): number {
  crcTable ??= Uint32Array.from({length: 256}, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; ++bit) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
    return rest;
  });
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}
