// What differs between a browser and Node: where bytes come from, and workers. This is Node's side.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** The bytes behind an address, or of a file. */
export async function readBytes(url) {
  if (url.protocol === 'file:') return new Uint8Array(await readFile(url));
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The compiled module behind an address, or of a file. */
export async function compile(url) {
  return WebAssembly.compile(await readBytes(url));
}

/** A worker; `onMessage` and `onError` hear of it. An idle one does not keep the program running. */
export function startWorker(url, onMessage, onError) {
  const worker = new Worker(url);
  worker.on('message', onMessage);
  worker.on('error', onError);
  worker.unref();
  return {
    post: (message) => worker.postMessage(message),
    terminate: () => void worker.terminate(),
    setBusy: (busy) => (busy ? worker.ref() : worker.unref()),
  };
}

export const canStartWorkers = true;

/** Addresses are URLs or paths of files. */
export function resolve(address) {
  if (address instanceof URL) return address;
  return URL.canParse(address) ? new URL(address) : pathToFileURL(address);
}
