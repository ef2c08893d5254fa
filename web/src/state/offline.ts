// Keeps the models for use without a network: fetched one after the other, smallest first, a while after the page has started, and not
// for those who save data. The service worker answers with them, and keeps all else (service_worker.ts).

import {models, modelFiles} from 'conpole/files';
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
  await navigator.serviceWorker.ready;
  const cache = await caches.open('conpole-models');
  const known: Record<string, unknown> = {...recall(key, (stored) => (isRecord(stored) ? stored : undefined))};
  const addressOf = (name: string): string => new URL(models + name, document.baseURI).href;
  const isKept = async ({name, hash}: {name: string; hash: string}): Promise<boolean> =>
    known[name] === hash && (await cache.match(addressOf(name), {ignoreVary: true})) !== undefined;
  const missing = [];
  for (const file of modelFiles) if (!(await isKept(file))) missing.push(file);
  const tell = (): void => {
    kept = {done: modelFiles.length - missing.length, all: modelFiles.length};
    for (const listener of listeners) listener(kept);
  };
  tell();
  if (missing.length > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  for (let next = missing[0]; next !== undefined; next = missing[0]) {
    await cache.add(new Request(addressOf(next.name), {cache: 'no-cache'}));
    known[next.name] = next.hash;
    remember(key, known);
    missing.shift();
    tell();
  }
}

function savesData(): boolean {
  return 'connection' in navigator && isRecord(navigator.connection) && navigator.connection.saveData === true;
}
