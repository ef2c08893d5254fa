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
  let isPageKept = false;
  const tell = (): void => {
    kept = {done: lateFiles.length - missing.length + Number(isPageKept), all: lateFiles.length + 1};
    for (const listener of listeners) listener(kept);
  };
  tell();
  if (missing.length > 0) await sleep();
  await twice(async () => {
    if (missing.length > 0) await network();
    if (active !== null && !(await keepTheRest(active))) throw new Error('a part of the page cannot be fetched');
  });
  isPageKept = true;
  tell();
  for (let next = missing[0]; next !== undefined; next = missing[0]) {
    const {path, hash} = next;
    await twice(async () => {
      await network();
      await cache.add(new Request(addressOf(path), {cache: 'no-cache'}));
    });
    known[path] = hash;
    remember(key, known);
    missing.shift();
    tell();
  }
}

/** The service worker keeps what few need of the page and of the engine, and answers whether it could. */
function keepTheRest(worker: ServiceWorker): Promise<boolean> {
  const {port1, port2} = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({data}) => resolve(data === true);
    worker.postMessage('keep-the-rest', [port2]);
  });
}

/** Once more after a while: a network that is only just back may not carry anything yet. */
async function twice(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    await sleep();
    await network();
    await work();
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
