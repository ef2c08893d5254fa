// Whether things may move on the screen.
export function isMotionReduced(): boolean {
  return typeof matchMedia !== 'function' || matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export const turnMilliseconds = 320;
