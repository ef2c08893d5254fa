// What differs between a browser and Node: where bytes come from, and workers. This is the browser's side.

/** The bytes behind an address. */
export async function readBytes(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The compiled module behind an address. */
export async function compile(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  // A host that does not know the type of .wasm files cannot stream them.
  if (response.headers.get('Content-Type')?.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** A worker; `onMessage` and `onError` hear of it. */
export function startWorker(url, onMessage, onError) {
  const worker = new Worker(url, { type: 'module' });
  worker.addEventListener('message', (event) => onMessage(event.data));
  worker.addEventListener('error', (event) => onError(new Error(event.message || `The worker ${url} cannot be started`)));
  return {
    post: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
    setBusy() {},
  };
}

export const canStartWorkers = typeof Worker === 'function';
export const resolve = (address) => new URL(address, self.location.href);
