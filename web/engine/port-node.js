// How a worker of Node hears and speaks.
import { parentPort } from 'node:worker_threads';

export const listen = (handle) => parentPort.on('message', handle);
export const post = (message) => parentPort.postMessage(message);
