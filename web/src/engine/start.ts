// Starts the engine of the page: WebAssembly in a worker. Fetched apart from the frame, which shows first.

import {createEngine} from 'conpole';
import {languages, models, rest, wasm, worker} from 'conpole/files';
import type {Engine} from './engine';

export function startEngine(): Promise<Engine> {
  const address = (file: string): string => new URL(file, document.baseURI).href;
  return createEngine({wasm: address(wasm), rest: address(rest), worker: address(worker), models: address(models), languages: address(languages)});
}
