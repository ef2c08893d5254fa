// Keeps the page for use without a network. What most people need is fetched when it is installed; the names have a hash of their
// content, so what is kept is never stale. The rest of the page is kept when it is asked for, or when the page says that there is time.
// Models and languages are kept once they were asked for. A new version of the page takes over when no window of the old one is left, so
// that no window mixes two.

declare const PRECACHED: string[];
declare const LATER: string[];
declare const VERSION: string;

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Extendable {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const pageCache = `conpole-page-${VERSION}`;
const lateCache = 'conpole-models';

async function install(): Promise<void> {
  const cache = await caches.open(pageCache);
  // What has a hash in its name may come from the browser's own cache, where the page has just put it.
  const isHashed = (name: string): boolean => /-[0-9A-Za-z]{8}\.\w+$/.test(name);
  await cache.addAll(PRECACHED.map((name) => new Request(name, {cache: isHashed(name) ? 'default' : 'no-cache'})));
}

async function removeOldPages(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith('conpole-page-') && name !== pageCache);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** Models and languages have no hash in their names: the network is asked first, so that a new one replaces the old. */
async function late(request: Request): Promise<Response> {
  const cache = await caches.open(lateCache);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, {ignoreVary: true});
    if (kept !== undefined) return kept;
    throw error;
  }
}

async function page(request: Request): Promise<Response> {
  const cache = await caches.open(pageCache);
  // Whatever the page is opened as (./, index.html, with a query), it is one document.
  const kept = await cache.match(request.mode === 'navigate' ? './' : request, {ignoreVary: true});
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok && LATER.some((name) => new URL(name, location.href).href === request.url)) await cache.put(request, response.clone());
  return response;
}

/** Tells whether all of it is kept now. */
async function keepTheRest(): Promise<boolean> {
  try {
    const cache = await caches.open(pageCache);
    for (const name of LATER) if ((await cache.match(name, {ignoreVary: true})) === undefined) await cache.add(name);
    return true;
  } catch {
    return false;
  }
}

addEventListener('install', (event) => (event as Extendable).waitUntil(install()));
addEventListener('activate', (event) => (event as Extendable).waitUntil(removeOldPages()));
addEventListener('message', (event) => {
  if (event.data !== 'keep-the-rest') return;
  (event as MessageEvent & Extendable).waitUntil(keepTheRest().then((isKept) => event.ports[0]?.postMessage(isKept)));
});
addEventListener('fetch', (event) => {
  const fetching = event as Fetching;
  const {request} = fetching;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  fetching.respondWith(/\/(models|languages)\//.test(url.pathname) ? late(request) : page(request));
});
