import type {Engine, EngineOptions} from './index.js';
import type {Agent, RecordStore} from './xapi.js';

export interface LineDetail {
  line: string;
  verdict: string;
  correct: boolean | null;
  mistake: string | null;
}
export interface SolvedDetail {
  lines: string[];
  wrong: number;
  hints: number;
  seconds: number;
}

/**
 * <conpole-tutor problem="2x + 3 = 7" domain="algebra" language="en" hints="off" lrs="/xapi/">
 * Events, which bubble: conpole-line (LineDetail), conpole-hint ({level, text}), conpole-solved (SolvedDetail).
 */
export class TutorElement extends HTMLElement {
  engine: Pick<Engine, 'check' | 'hint'> | null;
  /** A learning record store that gets a statement of everything (xapi.d.ts); the attribute `lrs` has an endpoint alone. */
  lrs: (RecordStore & {actor?: Agent}) | null;
  readonly lines: string[];
}

/** Defines the element. The options say where worker, wasm and models are. */
export function defineTutorElement(options?: EngineOptions, name?: string): void;
