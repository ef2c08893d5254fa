/** What a learner did: one of it is a statement. */
export interface Entry {
  /** A UUID; the statement has the same. */
  id: string;
  /** ISO 8601, in UTC. */
  at: string;
  /** A UUID, the same for all entries of one visit. */
  session: string;
  event: 'started' | 'line' | 'hint' | 'solution' | 'solved' | 'mastered';
  domain: string;
  /** The problem as the engine writes it. Of `mastered` the name of the skill. */
  problem: string;
  language?: string;
  skill?: string;
  level?: number;
  /** The title of the exercise set that the problem is in. */
  set?: string;
  /** Of `line`: what was entered, what the tutor said of it, and the name of the typical error, if it has one. */
  line?: string;
  correct?: boolean;
  verdict?: string;
  mistake?: string;
  /** Of `hint`: 1 to 3. */
  hint?: number;
  /** Of `solved`: whether hints or the solution were asked for, and how long it took. */
  helped?: boolean;
  seconds?: number;
}

export type LanguageMap = Record<string, string>;

export interface Agent {
  objectType: 'Agent';
  name?: string;
  account?: {homePage: string; name: string};
  mbox?: string;
}

export interface Activity {
  objectType: 'Activity';
  id: string;
  definition: {type: string; name: LanguageMap; interactionType?: 'other'};
}

export interface Statement {
  id: string;
  actor: Agent;
  verb: {id: string; display: LanguageMap};
  object: Activity;
  result?: {
    success?: boolean;
    completion?: boolean;
    response?: string;
    duration?: string;
    extensions?: Record<string, string | number | boolean>;
  };
  context: {
    registration: string;
    platform: string;
    language?: string;
    contextActivities?: {grouping: Activity[]};
  };
  timestamp: string;
  version: '1.0.3';
}

export interface XapiOptions {
  /** Where the page is; activities are named by it. A fragment is left out. */
  base: string;
  actor?: Agent;
}

/** `learner` is a random name that stands for whom the options do not name. */
export function statementOf(entry: Entry, learner: string, options: XapiOptions): Statement;
export function durationOf(seconds: number): string;
/** A random UUID. */
export function randomId(): string;

/** A learning record store: the address before `/statements`, and what stands in the header Authorization. */
export interface RecordStore {
  endpoint: string;
  auth?: string;
}

export interface SenderParts extends RecordStore {
  /** Keeps what waits, across reloads and windows; without it a queue lasts as long as the page. */
  storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;
  key?: string;
  /** Hears what became of statements, with how many still wait, and the HTTP status where there is one (0: not reached). */
  onState?: (state: 'waiting' | 'sent' | 'later' | 'refused', waiting: number, status: number) => void;
  fetch?: (address: string, request: RequestInit) => Promise<Pick<Response, 'status' | 'headers'>>;
  later?: (milliseconds: number, go: () => void) => void;
}

/**
 * Brings statements to a store, in batches and in their order. What the store does not confirm is kept and sent again, after longer and
 * longer pauses, or as long as it says; only what it will never take (400) is given up, and `onState` hears of it.
 */
export class StatementSender {
  constructor(parts: SenderParts);
  readonly count: number;
  add(statement: Statement): void;
  /** Sends all that waits, unless that is being done. */
  flush(): Promise<void>;
  /** For a page that is being left. */
  leave(): void;
}
