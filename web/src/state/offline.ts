// Keeps models and languages for use without a network: fetched one after the other, smallest first, a while after the page has started, and not
// for those who save data. The service worker answers with them, and keeps all else (service_worker.ts).

import {lateFiles} from 'conpole/files';
import {isRecord, recall, remember} from './storage';

export interface Kept {
  done: number;
  all: number;
}

const pause = 10_000; // milliseconds: what is asked for first comes first
const key = 'models';
const listeners = new Set<(kept: Kept) => void>();
let kept: Kept | null = null;

/** Hears of every part that was kept, until the returned function is called. */
export function onKept(listener: (kept: Kept) => void): () => void {
  listeners.add(listener);
  if (kept !== null) listener(kept);
  return () => void listeners.delete(listener);
}

export async function keepForOffline(): Promise<void> {
  if (!('caches' in globalThis) || savesData()) return;
  const {active} = await navigator.serviceWorker.ready;
  const cache = await caches.open('conpole-models');
  const known: Record<string, unknown> = {...recall(key, (stored) => (isRecord(stored) ? stored : undefined))};
  const addressOf = (path: string): string => new URL(path, document.baseURI).href;
  const isKept = async ({path, hash}: {path: string; hash: string}): Promise<boolean> =>
    known[path] === hash && (await cache.match(addressOf(path), {ignoreVary: true})) !== undefined;
  const missing = [];
  for (const file of lateFiles) if (!(await isKept(file))) missing.push(file);
  const tell = (): void => {
    kept = {done: lateFiles.length - missing.length, all: lateFiles.length};
    for (const listener of listeners) listener(kept);
  };
  tell();
  if (missing.length > 0) await sleep();
  if (missing.length > 0) await network();
  active?.postMessage('keep-the-rest');
  for (let next = missing[0]; next !== undefined; next = missing[0]) {
    await add(cache, new Request(addressOf(next.path), {cache: 'no-cache'}));
    known[next.path] = next.hash;
    remember(key, known);
    missing.shift();
    tell();
  }
}

/** Asks once more after a while: a network that is only just back may not carry anything yet. */
async function add(cache: Cache, request: Request): Promise<void> {
  await network();
  try {
    await cache.add(request);
  } catch {
    await sleep();
    await network();
    await cache.add(request);
  }
}

const sleep = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, pause));

/** Until there is a network: what is asked for without one fails, and would not be asked for again before the next visit. */
async function network(): Promise<void> {
  if (!navigator.onLine) await new Promise((resolve) => addEventListener('online', resolve, {once: true}));
}

function savesData(): boolean {
  return 'connection' in navigator && isRecord(navigator.connection) && navigator.connection.saveData === true;
}
