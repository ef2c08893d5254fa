// What the page remembers in this browser: JSON under a key with a version. Anything unreadable counts as not there, and a browser
// that refuses to store (private windows, full disks) costs the memory, never the page. At a computer that several people use, each
// may have a place of their own (people.ts); what a guest does goes with the tab.

const prefix = 'conpole.1.';
/** The same for everybody at this computer. */
const shared = ['settings', 'models', 'people'];
const whoKey = `${prefix}who`;

export const guest = 'guest';
let isOnlyGuest = false;

/** The place that this tab uses: '' is that of whoever does not say who it is. */
export function whoWorks(): string {
  if (isOnlyGuest) return guest;
  try {
    return sessionStorage.getItem(whoKey) ?? '';
  } catch {
    return '';
  }
}

export function workAs(who: string): void {
  try {
    sessionStorage.setItem(whoKey, who);
  } catch {
    // Then it stays as it was.
  }
}

/** From here on nothing of this visit stays in the browser. */
export function leaveNothing(): void {
  isOnlyGuest = true;
}

function placeOf(who: string): string {
  return who === '' || who === guest ? prefix : `${prefix}~${who}.`;
}

function storageOf(key: string): [Storage, string] {
  const who = whoWorks();
  if (who === guest && (isOnlyGuest || !shared.includes(key))) return [sessionStorage, prefix + key];
  return [localStorage, (shared.includes(key) ? prefix : placeOf(who)) + key];
}

/** `read` turns what was parsed into a value, or undefined if it is not one. */
export function recall<T>(key: string, read: (stored: unknown) => T | undefined): T | undefined {
  try {
    const [storage, name] = storageOf(key);
    const text = storage.getItem(name);
    return text === null ? undefined : read(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    const [storage, name] = storageOf(key);
    storage.setItem(name, JSON.stringify(value));
  } catch {
    // Not remembered.
  }
}

export function forget(key: string): void {
  try {
    const [storage, name] = storageOf(key);
    storage.removeItem(name);
  } catch {
    // Nothing was remembered.
  }
}

/** The same place for those who store texts themselves, under keys that begin as those here; a refusal is theirs to meet. */
export const ownTexts: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
  getItem: (key) => textPlace(key)[0].getItem(textPlace(key)[1]),
  setItem: (key, text) => textPlace(key)[0].setItem(textPlace(key)[1], text),
  removeItem: (key) => textPlace(key)[0].removeItem(textPlace(key)[1]),
};

function textPlace(key: string): [Storage, string] {
  return storageOf(key.startsWith(prefix) ? key.slice(prefix.length) : key);
}

/** Deletes what is in somebody's place, or all that this page ever kept here. */
export function clearPlace(who: string | 'all'): void {
  const isOthers = (key: string): boolean => key.startsWith(`${prefix}~`) || shared.some((name) => key === prefix + name) || key === whoKey;
  const belongs = (key: string): boolean =>
    who === 'all' ? key.startsWith('conpole.') : key.startsWith(placeOf(who)) && !((who === '' || who === guest) && isOthers(key));
  for (const storage of who === guest ? [sessionStorage] : who === 'all' ? [localStorage, sessionStorage] : [localStorage]) {
    for (const key of Object.keys(storage)) if (belongs(key)) storage.removeItem(key);
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
