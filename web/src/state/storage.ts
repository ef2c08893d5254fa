// What the page remembers in this browser: JSON under a key with a version. Anything unreadable counts as not there, and a browser
// that refuses to store (private windows, full disks) costs the memory, never the page.

const prefix = 'conpole.1.';

/** `read` turns what was parsed into a value, or undefined if it is not one. */
export function recall<T>(key: string, read: (stored: unknown) => T | undefined): T | undefined {
  try {
    const text = localStorage.getItem(prefix + key);
    return text === null ? undefined : read(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(prefix + key, JSON.stringify(value));
  } catch {
    // Not remembered.
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(prefix + key);
  } catch {
    // Nothing was remembered.
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
