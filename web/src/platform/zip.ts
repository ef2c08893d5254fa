// A zip archive, written in one go: what deflates becomes smaller, the rest is stored. The same files give the same bytes.

import {crc32} from '../share';

export interface ZipFile {
  path: string;
  content: Uint8Array<ArrayBuffer>;
}

const localHeader = 0x04034b50;
const centralHeader = 0x02014b50;
const endOfArchive = 0x06054b50;
const utf8Names = 0x0800;
const firstOfJanuary1980 = 0x21; // the first day that there is; the time is midnight

export async function writeZip(files: readonly ZipFile[]): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const {path, content} of files) {
    const name = new TextEncoder().encode(path);
    const deflated = await deflate(content);
    const isSmaller = deflated.length < content.length;
    const stored = isSmaller ? deflated : content;
    // What both headers have: version needed, flags, method, time, date, checksum, sizes, length of the name, of the extra field.
    const shared = [
      [20, 2], [utf8Names, 2], [isSmaller ? 8 : 0, 2], [0, 2], [firstOfJanuary1980, 2], [crc32(content), 4],
      [stored.length, 4], [content.length, 4], [name.length, 2], [0, 2],
    ] as const; // prettier-ignore
    const local = [bytesOf([[localHeader, 4], ...shared]), name, stored];
    parts.push(...local);
    // Made by: version 2.0. Then comment, disk, attributes, and where the file begins.
    directory.push(bytesOf([[centralHeader, 4], [20, 2], ...shared, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]]), name);
    offset += lengthOf(local);
  }
  const size = lengthOf(directory);
  const end = bytesOf([[endOfArchive, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [offset, 4], [0, 2]]);
  return joined([...parts, ...directory, end]);
}

async function deflate(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([content]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Numbers with as many bytes as each says, the lowest first. */
function bytesOf(numbers: readonly (readonly [number, number])[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(numbers.flatMap(([value, length]) => Array.from({length}, (_, at) => Math.floor(value / 256 ** at) % 256)));
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(lengthOf(parts));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
