// What a pupil did and the server has not confirmed yet. It is kept in the browser and sent again and again, in its order, until the
// server says that it is kept: neither a reload nor a server that is away loses anything.

export interface Sending {
  number: number; // grows, also across devices
  exercise: number;
  kind: 'line' | 'hint' | 'solution';
  lines?: string[];
  seconds: number;
}

/** What came of sending one: the server has it, will never take it, or was not reached. */
export type Sent = 'kept' | 'refused' | 'later';

export interface OutboxParts {
  load: () => unknown;
  save: (waiting: readonly Sending[]) => void;
  send: (one: Sending) => Promise<Sent>;
  /** Calls back after a while; attempts in vain count from 1. */
  later: (attempt: number, go: () => void) => void;
  onChange: (waiting: number) => void;
  now: () => number;
}

function isSending(value: unknown): value is Sending {
  return typeof value === 'object' && value !== null && 'number' in value && typeof value.number === 'number' && 'kind' in value && 'exercise' in value;
}

export class Outbox {
  private waiting: Sending[];
  private last = 0;
  private attempts = 0;
  private isSending = false;

  constructor(private readonly parts: OutboxParts) {
    const kept = parts.load();
    this.waiting = Array.isArray(kept) ? kept.filter(isSending) : [];
  }

  get count(): number {
    return this.waiting.length;
  }

  add(what: Omit<Sending, 'number'>): void {
    this.last = Math.max(this.last + 1, this.parts.now(), (this.waiting.at(-1)?.number ?? 0) + 1);
    this.change([...this.waiting, {...what, number: this.last}]);
    void this.flush();
  }

  /** Sends all that waits, unless that is being done. */
  async flush(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      const sent = await this.parts.send(next);
      if (sent === 'later') {
        this.parts.later(++this.attempts, () => void this.flush());
        break;
      }
      this.attempts = 0;
      this.change(this.waiting.slice(1));
    }
    this.isSending = false;
  }

  private change(waiting: Sending[]): void {
    this.waiting = waiting;
    this.parts.save(waiting);
    this.parts.onChange(waiting.length);
  }
}
