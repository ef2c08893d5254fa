// conpole for JavaScript: createEngine() gives an engine that solves, hints and checks, here and without a server.
import { EngineFailure, Instance, restOfEngine } from './instance.js';
import { operations } from './operations.js'; // made by CMake
import { canStartWorkers, compile, readBytes, resolve, startWorker } from '#platform';

const kModelNeeded = 424;

/** The answer was a problem (RFC 9457): the request is wrong, or cannot be fulfilled. */
export class ServiceProblem extends Error {
  constructor(problem) {
    super(problem.detail ?? problem.title);
    this.name = 'ServiceProblem';
    this.detail = this.message;
    for (const key of ['status', 'type', 'title', 'field', 'position', 'understood', 'model']) {
      if (problem[key] !== undefined) this[key] = problem[key];
    }
  }
}

function failureProblem(error) {
  return new ServiceProblem({ type: 'about:blank', title: 'The engine has failed', status: 500, detail: error.message });
}

// Both kinds of seats have start(module, rest), send(message, onProgress), which gives the worker's answer, and end().

// The engine in this thread.
class SeatHere {
  #instance = null;

  async start(module, rest) {
    this.#instance = await Instance.start(module, rest);
  }
  async send(message, onProgress) {
    if (message.model) return this.#instance.loadModel(message.model, message.bytes);
    return this.#instance.call(message.call, message.request, onProgress);
  }
  end() {
    this.#instance = null;
  }
}

// The engine in a worker. Ending it rejects what was sent.
class SeatInWorker {
  #worker;
  #waiting = null; // for the answer to the last message
  #ended = false;

  constructor(url) {
    this.#worker = startWorker(
      url,
      (message) => {
        if (message.progress) return this.#waiting?.onProgress?.(message.progress);
        if (message.failure) return this.#settle('reject', new EngineFailure(message.failure));
        return this.#settle('resolve', message.answer);
      },
      (error) => this.#settle('reject', new EngineFailure(error)),
    );
  }
  start(module, rest) {
    return this.send({ start: module, rest });
  }
  send(message, onProgress) {
    if (this.#ended) return Promise.reject(new EngineFailure('it was ended'));
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject, onProgress };
      this.#worker.setBusy(true);
      this.#worker.post(onProgress ? { ...message, progress: true } : message);
    });
  }
  end() {
    this.#ended = true;
    this.#worker.terminate();
    this.#settle('reject', new EngineFailure('it was ended'));
  }
  #settle(how, value) {
    const waiting = this.#waiting;
    this.#waiting = null;
    this.#worker.setBusy(false);
    waiting?.[how](value);
  }
}

class Engine {
  #module;
  #restAddress;
  #rest = null; // the other part, compiled, once a call has needed it
  #models; // the address that their names are added to
  #languages; // and the same of languages
  #makeSeat;
  #seat = null; // a promise of one, or null where the next call has to start one
  #turn = Promise.resolve(); // when the calls so far are done
  #bytes = new Map(); // of models and languages, by their names: promises
  #closed = false;

  constructor(module, rest, models, languages, makeSeat) {
    this.#module = module;
    this.#restAddress = rest;
    this.#models = models;
    this.#languages = languages;
    this.#makeSeat = makeSeat;
  }

  call(operation, request = {}, { signal, onProgress } = {}) {
    const aborted = () => signal.reason ?? new DOMException('The call was aborted', 'AbortError');
    if (signal?.aborted) return Promise.reject(aborted());
    const run = this.#turn.then(() => {
      if (signal?.aborted) throw aborted();
      return this.#run(operation, JSON.stringify(request), signal, onProgress);
    });
    this.#turn = run.catch(() => {});
    if (!signal) return run;
    // A call that waits for its turn is over at once; its turn, when it comes, is skipped.
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(aborted());
      signal.addEventListener('abort', onAbort, { once: true });
      run.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  }

  close() {
    this.#closed = true;
    this.#drop();
    this.#bytes.clear();
  }

  async #run(operation, request, signal, onProgress) {
    if (this.#closed) throw new Error('The engine was closed');
    const onAbort = () => this.#drop();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await this.#answer({ call: operation, request }, signal, onProgress);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (!(error instanceof EngineFailure)) throw error;
      this.#drop();
      throw failureProblem(error);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  // Models, languages and the rest of the engine are fetched when a call first needs them. Each is asked for once.
  async #answer(message, signal, onProgress) {
    for (let asked = null; ; ) {
      const seat = await this.#startedSeat();
      const answer = await seat.send(message, onProgress);
      const body = JSON.parse(answer.body);
      if (answer.status === 200) return body;
      const { model } = body;
      if (answer.status !== kModelNeeded || model === undefined || model === asked) throw new ServiceProblem(body);
      asked = model;
      let needsRest = model === restOfEngine;
      if (!needsRest) {
        const bytes = await this.#modelBytes(model);
        signal?.throwIfAborted();
        const handed = await seat.send({ model, bytes });
        needsRest = handed.status === kModelNeeded;
        if (handed.status !== 200 && !needsRest) throw new ServiceProblem({ ...JSON.parse(handed.body), model });
      }
      if (needsRest && this.#rest === null) {
        // An instance that has met a gap cannot go on, and what it was handed has to be handed to the next one, too.
        this.#drop();
        this.#rest = await orMissing(restOfEngine, compile(this.#restAddress));
        signal?.throwIfAborted();
        asked = null;
      }
    }
  }

  #startedSeat() {
    this.#seat ??= (async () => {
      const seat = this.#makeSeat();
      try {
        await seat.start(this.#module, this.#rest);
      } catch (error) {
        seat.end();
        throw error;
      }
      return seat;
    })();
    return this.#seat;
  }

  // The next call starts from the compiled modules again.
  #drop() {
    this.#seat?.then((seat) => seat.end(), () => {});
    this.#seat = null;
  }

  #modelBytes(name) {
    if (!this.#bytes.has(name)) {
      const folder = name.endsWith('.json') ? this.#languages : this.#models;
      const bytes = orMissing(name, readBytes(new URL(name, folder)));
      this.#bytes.set(name, bytes);
      bytes.catch(() => this.#bytes.delete(name)); // the next call tries again
    }
    return this.#bytes.get(name);
  }
}

function orMissing(name, fetched) {
  return fetched.catch((error) => {
    throw new ServiceProblem({
      type: 'about:blank', title: 'Failed Dependency', status: kModelNeeded, detail: `The file ${name} cannot be fetched: ${error.message}`, model: name,
    });
  });
}

// Typed in index.d.ts.
for (const operation of operations) {
  Engine.prototype[operation] = function (request, options) {
    return this.call(operation, request, options);
  };
}

const asFolder = (url) => (url.pathname.endsWith('/') ? url : new URL(`${url.pathname}/${url.search}`, url));

/** See index.d.ts. */
export async function createEngine({ wasm, rest, models, languages, worker = true } = {}) {
  const isCompiled = wasm instanceof WebAssembly.Module;
  const address = resolve(isCompiled ? import.meta.url : (wasm ?? new URL('./conpole.wasm', import.meta.url)));
  const module = isCompiled ? wasm : await compile(address);
  const restAddress = resolve(rest ?? new URL(restOfEngine, address));
  const modelFolder = asFolder(resolve(models ?? new URL('./models/', import.meta.url)));
  const languageFolder = asFolder(resolve(languages ?? new URL('./languages/', import.meta.url)));
  const useWorker = worker !== false && canStartWorkers;
  const script = typeof worker === 'boolean' ? new URL('./worker.js', import.meta.url) : resolve(worker);
  return new Engine(module, restAddress, modelFolder, languageFolder, () => (useWorker ? new SeatInWorker(script) : new SeatHere()));
}
