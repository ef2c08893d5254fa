/** Where a place, both counted from 1 and the column in characters, is in a text. */
export function indexOfPlace(text: string, line: number, column: number): number {
  let begin = 0;
  for (let passed = 1; passed < line; ++passed) {
    const end = text.indexOf('\n', begin);
    if (end < 0) return text.length;
    begin = end + 1;
  }
  const rest = text.slice(begin).split('\n', 1)[0] ?? '';
  return begin + [...rest].slice(0, column - 1).join('').length;
}
