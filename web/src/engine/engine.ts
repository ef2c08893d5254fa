// The engine as the page sees it: one call that answers or fails with a problem. The real one runs WebAssembly in a worker.

import type {Check, DomainReport, Exercise, Hint, NextSteps, Problem, Progress, Reading, Skill, Solution, DomainInfo} from './wire';
import type {Engine as WholeEngine} from '../../engine/index.js';
import {frame} from '../i18n/frame';
import {translator, type Language} from '../i18n/table';

export interface SearchProgress {
  expanded: number;
  beam: number;
  milliseconds: number;
}

export interface CallOptions {
  signal?: AbortSignal;
  onProgress?: (progress: SearchProgress) => void;
}

/** What the service is asked for. */
export type Operation = Exclude<keyof WholeEngine, 'call' | 'close'>;

export interface Engine {
  call<T>(operation: Operation, request: object, options?: CallOptions): Promise<T>;
  close(): void;
}

/** Whether an error is an answer of the engine, to be shown where it was asked. */
export function isProblem(error: unknown): error is Error & Problem {
  return error instanceof Error && 'detail' in error && 'status' in error;
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** What there is to tell about an error. */
export function messageOf(error: unknown): string {
  return isProblem(error) ? error.detail : error instanceof Error ? error.message : String(error);
}

const modelMissing = 424;

/** What the engine says of a request stays; where files or the engine itself are missing, people are told so in their language. */
function inWords(error: unknown, language: Language): unknown {
  if (isAbort(error) || (isProblem(error) && error.status !== modelMissing)) return error;
  return new Error(translator(frame, language)(isProblem(error) ? 'model_missing' : 'engine_failed'), {cause: error});
}

/** The operations with their types, in one language, with all that is needed to show lines. */
export interface Tutor {
  solve(request: {problem: string; domain?: string; detail?: 'school' | 'why' | 'axioms' | 'both'; graph?: boolean; milliseconds?: number}, options?: CallOptions): Promise<Solution>;
  hint(request: {line: string; tried?: string; domain?: string; level: number; milliseconds?: number}, options?: CallOptions): Promise<Hint>;
  check(request: {problem: string; domain?: string; lines: string[]}, options?: CallOptions): Promise<Check>;
  next(request: {line: string; domain?: string; policy?: boolean; markup?: boolean}, options?: CallOptions): Promise<NextSteps>;
  read(request: {text: string; domain?: string}, options?: CallOptions): Promise<Reading>;
  exercise(
    request: {skill?: string; domain?: string; level?: number; seed?: number; like?: string},
    options?: CallOptions,
  ): Promise<Exercise>;
  generate(request: {domain: string; seed: number}, options?: CallOptions): Promise<Exercise>;
  report(request: {domain: string}, options?: CallOptions): Promise<DomainReport>;
  skills(options?: CallOptions): Promise<{skills: Skill[]}>;
  domains(options?: CallOptions): Promise<{domains: DomainInfo[]}>;
  progress(
    request: {progress: object; skill: string; level: number; solved_without_help: boolean},
    options?: CallOptions,
  ): Promise<Progress>;
  version(options?: CallOptions): Promise<{version: string; engine: string; kernels: string}>;
}

export function tutorOf(engine: Engine, language: Language): Tutor {
  const call = <Answer>(operation: Operation, request: object, options?: CallOptions): Promise<Answer> =>
    engine.call<Answer>(operation, request, options).catch((error: unknown) => {
      throw inWords(error, language);
    });
  const ask =
    <Request extends object, Answer>(operation: Operation, shown: object) =>
    (request: Request, options?: CallOptions): Promise<Answer> =>
      call<Answer>(operation, {...request, ...shown}, options);
  const lines = {language, markup: true};
  return {
    solve: ask('solve', lines),
    hint: ask('hint', lines),
    check: ask('check', lines),
    next: ask('next', lines),
    read: ask('read', lines),
    exercise: ask('exercise', lines),
    generate: ask('generate', lines),
    report: ask('report', {language}),
    skills: (options) => call('skills', {language, markup: true}, options),
    domains: (options) => call('domains', {}, options),
    progress: ask('progress', {language}),
    version: (options) => call('version', {}, options),
  };
}
