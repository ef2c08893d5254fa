// Figures as researchers read them.

import type {Language} from '../i18n/table';

/** A probability in percent, with as many digits as tell something. */
export function percentOf(probability: number, language: Language): string {
  const least = 0.00001;
  const isTiny = probability > 0 && probability < least;
  const shown = isTiny ? least : probability;
  const digits = shown > 0.99 && shown < 1 ? {maximumFractionDigits: 2} : {maximumSignificantDigits: shown < 0.001 ? 2 : 3};
  return (isTiny ? '<' : '') + new Intl.NumberFormat(language, {style: 'percent', ...digits}).format(shown);
}

export function scoreOf(score: number | null | undefined, language: Language): string {
  if (score === null || score === undefined) return '–';
  return new Intl.NumberFormat(language, {maximumSignificantDigits: 4}).format(score);
}

/** The entropy of a distribution. */
export function bitsOf(probabilities: readonly number[]): number {
  return probabilities.reduce((sum, p) => (p > 0 ? sum - p * Math.log2(p) : sum), 0);
}
