// The engine counts positions in bytes of UTF-8; browsers count UTF-16 units.

/** The UTF-16 index of a byte offset; an offset inside of a character belongs to its start, one behind the end to the end. */
export function indexOfByte(text: string, byte: number): number {
  let bytes = 0;
  let index = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > byte) return index;
    index += character.length;
  }
  return text.length;
}
