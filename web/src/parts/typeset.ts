// Sentences of the engine are plain text, also where they have mathematics in them. Here it gets the signs that people write.

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** The sentence in pieces: texts, and fractions of numbers and letters as [above, below]. */
export function typeset(sentence: string): (string | [string, string])[] {
  const text = sentence
    .replace(/\bsqrt\(/g, '√(')
    .replace(/(?<=[\w)])\^(\d+)(?!\w)/g, (_, digits: string) => digits.replace(/\d/g, (digit) => raised[Number(digit)] ?? digit))
    .replace(/(?<=[\w)⁰-⁹¹²³]) \* (?=[\w(√-])/g, ' · ')
    .replace(/(?<=[\w)⁰-⁹¹²³]) - (?=[\w(√-])/g, ' − ')
    .replace(/(?<=^|[\s(])-(?=[\d(√]|\w\b)/g, '−')
    .replace(/<=/g, '≤')
    .replace(/>=/g, '≥')
    .replace(/!=/g, '≠');
  return text.split(/(?<![\w)/√∛])((?:\d+[a-z]?|[a-z])\/(?:\d+|[a-z]))(?![\w(/])/).map((piece, index) => {
    const [above = '', below = ''] = piece.split('/');
    return index % 2 === 0 ? piece : [above, below];
  });
}
