// Where the points of curves lie on a plane. No component, so that tests can look at it alone.

import type {Point} from './api';

export const size = {width: 640, height: 240};

export interface Line {
  name: string;
  points: {x: number; y: number}[];
  first: number;
  last: number;
}

export interface Curves {
  lines: Line[];
  endX: number; // what the right edge stands for
  top: number; // and the upper one
}

/** The least of 1, 2 and 5 times a power of ten that is not less. */
export function roundedUp(value: number): number {
  if (!(value > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((factor) => factor * unit >= value) ?? 10) * unit;
}

/** One line per name that has values, along steps or seconds; `top` is the largest value where none is given. */
export function curvesOf(points: readonly Point[], names: readonly string[], along: 'step' | 'seconds', top?: number): Curves {
  const values = names.map((name) =>
    points.flatMap((point) => {
      const [x, y] = [point[along], point[name]];
      return typeof x === 'number' && typeof y === 'number' ? [{x, y}] : [];
    }),
  );
  const all = values.flat();
  const endX = Math.max(1, ...all.map(({x}) => x));
  const largest = top ?? roundedUp(Math.max(...all.map(({y}) => y)));
  const lines = values.flatMap((line, index): Line[] => {
    const [first, last] = [line[0], line.at(-1)];
    if (first === undefined || last === undefined) return [];
    const placed = line.map(({x, y}) => ({x: (x / endX) * size.width, y: size.height * (1 - Math.min(1, Math.max(0, y / largest)))}));
    return [{name: names[index] ?? '', points: placed, first: first.y, last: last.y}];
  });
  return {lines, endX, top: largest};
}
