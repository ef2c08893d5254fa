// What a learner did, kept on the learner's own machine: one entry per problem begun, line checked, hint asked for and so on.
// The log is bounded, survives reloads, and takes whatever the storage holds: what is no entry is left out. It leaves the
// browser only when the learner downloads it.

import {randomId, type Entry} from '../../engine/xapi.js';

export type LogEntry = Entry;
export type LogEvent = Entry['event'];
/** What the caller tells; fields that do not belong to an event are left out. */
export type LogDetails = Omit<Entry, 'id' | 'at' | 'session'>;

export interface LogFile {
  format: 'conpole-log';
  version: 1;
  exported: string;
  /** A random name that stands for the learner on this machine. */
  learner: string;
  entries: LogEntry[];
}

export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface LogOptions {
  storage: KeyValueStorage;
  now?: () => Date;
  newId?: () => string;
  /** The oldest entries make room for new ones. */
  most?: number;
}

const key = 'conpole.1.log';
const events: readonly string[] = ['started', 'line', 'hint', 'solution', 'solved', 'mastered'] satisfies LogEvent[];
const longestText = 4000;

export class LearnerLog {
  private readonly storage: KeyValueStorage;
  private readonly now: () => Date;
  private readonly newId: () => string;
  private readonly most: number;
  private readonly session: string;

  constructor(options: LogOptions) {
    this.storage = options.storage;
    this.now = options.now ?? (() => new Date());
    this.newId = options.newId ?? randomId;
    this.most = options.most ?? 2000;
    this.session = this.newId();
  }

  record(details: LogDetails): void {
    const entry = entryFrom({...details, id: this.newId(), at: this.now().toISOString(), session: this.session});
    if (entry === null) return;
    const {learner, entries} = this.load();
    const last = entries.at(-1);
    // A page that is loaded anew begins the same problem once more.
    if (entry.event === 'started' && last?.event === 'started' && last.problem === entry.problem && last.set === entry.set)
      return;
    this.save(learner, [...entries, entry]);
  }

  entries(): LogEntry[] {
    return this.load().entries;
  }

  file(): LogFile {
    const {learner, entries} = this.load();
    return {format: 'conpole-log', version: 1, exported: this.now().toISOString(), learner, entries};
  }

  /** The learner gets another random name, too. */
  clear(): void {
    try {
      this.storage.removeItem(key);
    } catch {
      // A browser that keeps nothing has nothing to forget.
    }
  }

  private load(): {learner: string; entries: LogEntry[]} {
    const kept = parsed(this.read());
    const learner = isRecord(kept) && isUuid(kept.learner) ? kept.learner : this.newId();
    const list: unknown[] = isRecord(kept) && Array.isArray(kept.entries) ? kept.entries : [];
    return {learner, entries: list.map(entryFrom).filter((entry) => entry !== null)};
  }

  private read(): string | null {
    try {
      return this.storage.getItem(key);
    } catch {
      return null;
    }
  }

  // If the storage is full, half of the log is given up, and so on.
  private save(learner: string, entries: LogEntry[]): void {
    let kept = entries.slice(-this.most);
    while (kept.length > 0) {
      try {
        this.storage.setItem(key, JSON.stringify({learner, entries: kept}));
        return;
      } catch {
        kept = kept.slice(Math.ceil(kept.length / 2));
      }
    }
  }
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, longestText) : undefined;
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function truth(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function entryFrom(value: unknown): LogEntry | null {
  if (!isRecord(value) || !isUuid(value.id) || !isUuid(value.session)) return null;
  const {at, event, domain, problem} = value;
  if (typeof at !== 'string' || !isTimestamp(at)) return null;
  if (typeof event !== 'string' || !events.includes(event)) return null;
  if (typeof domain !== 'string' || typeof problem !== 'string' || problem === '') return null;
  const optional = {
    language: text(value.language),
    skill: text(value.skill),
    level: count(value.level),
    set: text(value.set),
    line: text(value.line),
    correct: truth(value.correct),
    verdict: text(value.verdict),
    mistake: text(value.mistake),
    hint: count(value.hint),
    helped: truth(value.helped),
    seconds: count(value.seconds),
  };
  const present = Object.fromEntries(Object.entries(optional).filter(([, known]) => known !== undefined));
  return {
    id: value.id,
    at,
    session: value.session,
    event: event as LogEvent,
    domain: domain.slice(0, longestText),
    problem: problem.slice(0, longestText),
    ...present,
  };
}

function isTimestamp(value: string): boolean {
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}
