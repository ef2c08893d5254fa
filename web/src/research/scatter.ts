// A scatter plot's arithmetic: from values to places on the plane, zooming, which labels fit, and walking from point to point.

export interface Spot {
  x: number;
  y: number;
}

/** The part of the plane that is seen. */
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

export const plane = {width: 800, height: 560} as const;
export const wholePlane: Frame = {left: 0, top: 0, width: plane.width, height: plane.height};
const margin = 36;
const mostZoom = 40;

/** Both axes have the same scale, so that distances can be compared; y goes up. */
export function spotsOf(points: readonly Spot[]): Spot[] {
  const xs = points.map(({x}) => x);
  const ys = points.map(({y}) => y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const scale = Math.min((plane.width - 2 * margin) / (right - left || 1), (plane.height - 2 * margin) / (high - low || 1));
  const [midX, midY] = [(left + right) / 2, (low + high) / 2];
  return points.map(({x, y}) => ({x: plane.width / 2 + (x - midX) * scale, y: plane.height / 2 - (y - midY) * scale}));
}

/** Zooms by a factor about a spot that stays where it is; never out of the plane. */
export function zoomed(frame: Frame, factor: number, about: Spot): Frame {
  const width = Math.min(plane.width, Math.max(plane.width / mostZoom, frame.width / factor));
  const ratio = width / frame.width;
  const height = frame.height * ratio;
  return inside({left: about.x - (about.x - frame.left) * ratio, top: about.y - (about.y - frame.top) * ratio, width, height});
}

export function moved(frame: Frame, right: number, down: number): Frame {
  return inside({...frame, left: frame.left + right, top: frame.top + down});
}

/** The frame moved as little as it takes to see a spot well. */
export function showing(frame: Frame, {x, y}: Spot): Frame {
  const edge = 0.08 * frame.width;
  const shift = (at: number, from: number, size: number): number =>
    at < from + edge ? at - from - edge : at > from + size - edge ? at - from - size + edge : 0;
  return moved(frame, shift(x, frame.left, frame.width), shift(y, frame.top, frame.height));
}

function inside(frame: Frame): Frame {
  return {
    ...frame,
    left: Math.min(Math.max(frame.left, 0), plane.width - frame.width),
    top: Math.min(Math.max(frame.top, 0), plane.height - frame.height),
  };
}

/** The places of those labels that neither overlap nor leave the frame; the first points come first. `unit` is the length on the
 * plane that is drawn one pixel long. */
export function fittingLabels(spots: readonly Spot[], lengths: readonly number[], frame: Frame, unit: number): Set<number> {
  const taken: {left: number; right: number; top: number; bottom: number}[] = [];
  const fitting = new Set<number>();
  spots.forEach(({x, y}, index) => {
    const left = x + 8 * unit;
    const right = left + (lengths[index] ?? 0) * 6.6 * unit;
    const box = {left, right, top: y - 9 * unit, bottom: y + 9 * unit};
    if (x < frame.left || y < frame.top || y > frame.top + frame.height || right > frame.left + frame.width) return;
    if (
      taken.some(
        (other) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom,
      )
    )
      return;
    taken.push(box);
    fitting.add(index);
  });
  return fitting;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The point nearest to another one within a quarter of the plane; the point itself if there is none. */
export function nearestIn(spots: readonly Spot[], from: number, direction: Direction): number {
  const start = spots[from];
  if (start === undefined) return from;
  let best = from;
  let least = Infinity;
  spots.forEach(({x, y}, index) => {
    const [right, down] = [x - start.x, y - start.y];
    const along = direction === 'left' ? -right : direction === 'right' ? right : direction === 'up' ? -down : down;
    const aside = direction === 'left' || direction === 'right' ? Math.abs(down) : Math.abs(right);
    if (along <= 0 || aside > along) return;
    const distance = Math.hypot(along, aside);
    if (distance < least) [best, least] = [index, distance];
  });
  return best;
}
