// The engine's package as far as the page uses it; build.mjs resolves the name.
declare module 'conpole' {
  export function createEngine(options: {wasm: string; rest: string; worker: string; models: string; languages: string}): Promise<import('./engine').Engine>;
}

// The text of a domain file.
declare module '*.domain' {
  const text: string;
  export default text;
}

// Addresses of files that the build puts beside the page, relative to it.
declare module 'conpole/files' {
  export const wasm: string;
  export const rest: string;
  export const worker: string;
  export const models: string;
  export const languages: string;
  export const lateFiles: {path: string; hash: string}[];
}
