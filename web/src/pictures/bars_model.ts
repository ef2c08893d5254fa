// Which bar of one list is which of the next, so that a picture can show them move.

/** The names of the bars of `after`, given those of `before`. A bar keeps its name if the lists differ by an exchange of
 * neighbours or by being turned round; otherwise equal values keep theirs from left to right, and the rest get new ones. */
export function followBars(
  before: readonly number[],
  names: readonly number[],
  after: readonly number[],
  newName: () => number,
): number[] {
  const swapped = swappedPlace(before, after);
  if (swapped !== null) {
    const kept = [...names];
    [kept[swapped], kept[swapped + 1]] = [names[swapped + 1] ?? newName(), names[swapped] ?? newName()];
    return kept;
  }
  if (sameList(before, after)) return [...names];
  if (sameList([...before].reverse(), after)) return [...names].reverse();
  const free = new Map<number, number[]>();
  before.forEach((value, place) => {
    const list = free.get(value) ?? [];
    list.push(names[place] ?? newName());
    free.set(value, list);
  });
  return after.map((value) => free.get(value)?.shift() ?? newName());
}

/** The place i if `after` is `before` with the bars i and i + 1 exchanged, and these differ; otherwise nothing. */
export function swappedPlace(before: readonly number[], after: readonly number[]): number | null {
  if (before.length !== after.length) return null;
  const first = before.findIndex((value, place) => value !== after[place]);
  if (first < 0 || first + 1 >= before.length) return null;
  const exchanged = [...before];
  [exchanged[first], exchanged[first + 1]] = [before[first + 1] ?? 0, before[first] ?? 0];
  return sameList(exchanged, after) ? first : null;
}

function sameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, place) => value === b[place]);
}

export interface BarShape {
  /** Shares of the picture's height, 0 at its lower end. */
  from: number;
  to: number;
}

/** Bars stand on a common zero line; those below it hang. The least bar can still be seen. */
export function shapeBars(values: readonly number[]): BarShape[] {
  const greatest = Math.max(0, ...values.map(Math.abs)) || 1;
  const least = greatest / 40;
  const seen = values.map((value) => (value < 0 ? Math.min(value, -least) : Math.max(value, least)));
  const highest = Math.max(0, ...seen);
  const lowest = Math.min(0, ...seen);
  const share = (value: number): number => (value - lowest) / (highest - lowest);
  return seen.map((value) => ({from: share(Math.min(value, 0)), to: share(Math.max(value, 0))}));
}
