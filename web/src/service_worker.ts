// Keeps the page for use without a network. All files but the models are fetched when it is installed; their names have a hash of
// their content, so what is kept is never stale. Models are kept once they were asked for. A new version of the page takes over when
// no window of the old one is left, so that no window mixes two.

declare const PRECACHED: string[];
declare const VERSION: string;

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Extendable {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const pageCache = `conpole-page-${VERSION}`;
const modelCache = 'conpole-models';

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

/** Models have no hash in their names: the network is asked first, so that a new one replaces the old. */
async function model(request: Request): Promise<Response> {
  const cache = await caches.open(modelCache);
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
  return kept ?? fetch(request);
}

addEventListener('install', (event) => (event as Extendable).waitUntil(install()));
addEventListener('activate', (event) => (event as Extendable).waitUntil(removeOldPages()));
addEventListener('fetch', (event) => {
  const fetching = event as Fetching;
  const {request} = fetching;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  fetching.respondWith(url.pathname.includes('/models/') ? model(request) : page(request));
});
