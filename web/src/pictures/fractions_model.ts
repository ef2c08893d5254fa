// Fractions as strips: how many wholes, how many parts of each are filled.

export interface FractionTerm {
  numerator: number | string;
  denominator: number | string;
  /** The operator before the term. */
  operator?: string | undefined;
}

export interface Strip {
  /** How much of this whole is filled, 0 to 1. */
  filled: number;
}

export interface FractionShape {
  numerator: string;
  denominator: string;
  operator: string;
  isNegative: boolean;
  /** Parts of a whole that are drawn apart; 1 if they would be too narrow. */
  parts: number;
  strips: Strip[];
}

const mostStrips = 6;
const mostParts = 48;

/** What to draw for each term, or nothing if one of them does not fit into a picture. */
export function shapeFractions(terms: readonly FractionTerm[]): FractionShape[] | null {
  const shapes = terms.map(shapeOf);
  return shapes.length > 0 && shapes.every((shape) => shape !== null) ? shapes : null;
}

function shapeOf(term: FractionTerm): FractionShape | null {
  const numerator = Number(term.numerator);
  const denominator = Number(term.denominator);
  if (!Number.isFinite(numerator) || !Number.isFinite(denominator) || denominator === 0) return null;
  const value = Math.abs(numerator / denominator);
  const wholes = Math.max(1, Math.ceil(value - 1e-12));
  if (wholes > mostStrips) return null;
  const parts = Math.abs(denominator);
  return {
    numerator: String(term.numerator),
    denominator: String(term.denominator),
    operator: term.operator ?? '',
    isNegative: numerator / denominator < 0,
    parts: Number.isInteger(parts) && parts <= mostParts ? parts : 1,
    strips: Array.from({length: wholes}, (_, index) => ({filled: Math.min(1, Math.max(0, value - index))})),
  };
}
