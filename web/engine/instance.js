// One instance of the engine: the WebAssembly modules with what they import, and texts in and out of their memory (engine.h). It
// knows neither files nor threads, so it is the same in a page, in a worker and in Node.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const kOk = 0;
const kBadDescriptor = 8;
const kNoSuchFunction = 52;
const kClockMonotonic = 1;

/** The instance has failed in a way that it cannot go on from: use another one. */
export class EngineFailure extends Error {
  constructor(cause) {
    super(`The engine has failed: ${cause instanceof Error ? cause.message : cause}`, { cause });
    this.name = 'EngineFailure';
  }
}

// What the module imports of the system: a clock and a place for error messages. There are no files and no environment.
function systemFunctions(memory) {
  const view = () => new DataView(memory().buffer);
  return {
    clock_time_get(clock, precision, time) {
      const milliseconds = clock === kClockMonotonic ? performance.now() : Date.now();
      view().setBigUint64(time, BigInt(Math.round(milliseconds * 1e6)), true);
      return kOk;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return kOk;
    },
    environ_get: () => kOk,
    args_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return kOk;
    },
    args_get: () => kOk,
    fd_write(descriptor, vectors, count, written) {
      if (descriptor !== 1 && descriptor !== 2) return kBadDescriptor;
      const at = view();
      let text = '';
      let size = 0;
      for (let i = 0; i < count; ++i) {
        const begin = at.getUint32(vectors + 8 * i, true);
        const length = at.getUint32(vectors + 8 * i + 4, true);
        text += decoder.decode(new Uint8Array(memory().buffer, begin, length));
        size += length;
      }
      if (text.trim() !== '') console.error(text.trimEnd());
      at.setUint32(written, size, true);
      return kOk;
    },
    fd_close: () => kBadDescriptor,
    fd_read: () => kBadDescriptor,
    fd_seek: () => kBadDescriptor,
    proc_exit(code) {
      throw new EngineFailure(`it has ended with ${code}`);
    },
  };
}

/** What an instance without it answers, with a status of 424, as it does for models: the part of the engine that few calls need. */
export const restOfEngine = 'conpole-rest.wasm';

export class Instance {
  #exports;
  #onProgress = null;
  #isIncomplete = false; // a call needed the rest

  /** Starts an instance of the compiled modules. Without `rest`, calls that need it end the instance. */
  static async start(module, rest = null) {
    const instance = new Instance();
    const memory = () => instance.#exports.memory;
    const system = systemFunctions(memory);
    const imports = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
      if (kind !== 'function') throw new TypeError(`The module imports ${from}.${name}, which is no function`);
      imports[from] ??= {};
      // What else Emscripten's C library would ask of a system: there are no such things here. Its system calls return errors
      // as negative numbers, WASI's as positive ones.
      imports[from][name] = system[name] ?? (from === 'env' ? () => -kNoSuchFunction : () => kNoSuchFunction);
    }
    const missing = () => {
      instance.#isIncomplete = true;
      throw new EngineFailure(`${restOfEngine} is missing`);
    };
    for (const name in imports.rest) imports.rest[name] = missing;
    imports.env ??= {};
    imports.env.emscripten_notify_memory_growth = () => {};
    imports.conpole = {
      progress: (begin, size) => instance.#onProgress?.(JSON.parse(instance.#text(begin, size))),
    };
    instance.#exports = (await WebAssembly.instantiate(module, imports)).exports;
    // It takes the places of the functions that are missing.
    if (rest !== null) await WebAssembly.instantiate(rest, { ...imports, first: instance.#exports });
    instance.#exports._initialize?.();
    return instance;
  }

  /** How many bytes of memory it has. */
  get memoryBytes() {
    return this.#exports.memory.buffer.byteLength;
  }

  /**
   * Answers one request.
   * @param {string} operation @param {string} request JSON @param {(progress: object) => void} [onProgress]
   * @returns {{status: number, body: string}} the body is JSON
   */
  call(operation, request, onProgress) {
    this.#onProgress = onProgress ?? null;
    try {
      return this.#answer('conpole_call', encoder.encode(operation), encoder.encode(request));
    } finally {
      this.#onProgress = null;
    }
  }

  /**
   * Hands over the content of a model file.
   * @param {string} name @param {Uint8Array} bytes
   * @returns {{status: number, body: string}}
   */
  loadModel(name, bytes) {
    return this.#answer('conpole_hand_over', encoder.encode(name), bytes);
  }

  #answer(name, first, second) {
    const held = [];
    try {
      const given = [];
      for (const bytes of [first, second]) {
        const at = this.#exports.conpole_allocate(bytes.length);
        if (at === 0) return outOfMemory();
        held.push(at);
        new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
        given.push(at, bytes.length);
      }
      const status = this.#exports[name](...given);
      if (this.#isIncomplete) return restMissing(); // it may have caught that
      return { status, body: this.#text(this.#exports.conpole_answer(), this.#exports.conpole_answer_size()) };
    } catch (error) {
      held.length = 0; // whatever is left in there is not to be trusted
      if (this.#isIncomplete) return restMissing();
      throw error instanceof EngineFailure ? error : new EngineFailure(error);
    } finally {
      for (const at of held) this.#exports.conpole_release(at);
    }
  }

  #text(begin, size) {
    return decoder.decode(new Uint8Array(this.#exports.memory.buffer, begin, size));
  }
}

const problem = (status, title, more) => ({ status, body: JSON.stringify({ type: 'about:blank', title, status, ...more }) });
const outOfMemory = () => problem(503, 'Out of memory');
const restMissing = () => problem(424, 'Failed Dependency', { model: restOfEngine });
