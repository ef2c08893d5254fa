// A learning platform's side of SCORM 2004 (the API and the part of the data model that exercises need), as strict as the standard:
// types, ranges, what may be read and written, the order of interactions, the states of a session. Errors are those of the standard.
// What a session leaves is in `kept`; a platform that is given it goes on from there.

type Access = 'rw' | 'r' | 'w';
type Check = (value: string) => number; // 0, or the number of the error

const typeMismatch = 406;
const outOfRange = 407;

const real =
  (least: number, most: number): Check =>
  (value) => {
    if (!/^-?\d+(\.\d{1,7})?$/.test(value)) return typeMismatch;
    return Number(value) < least || Number(value) > most ? outOfRange : 0;
  };
const oneOf =
  (...words: string[]): Check =>
  (value) => (words.includes(value) ? 0 : typeMismatch);
const text =
  (most: number): Check =>
  (value) => (value.length <= most ? 0 : typeMismatch);
const matches =
  (pattern: RegExp): Check =>
  (value) => (pattern.test(value) ? 0 : typeMismatch);

const interval = matches(/^P(?=.)(\d+Y)?(\d+M)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+(\.\d{1,2})?S)?)?$/);
const instant = matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,2})?(Z|[+-]\d\d:\d\d)$/);

const elements: Record<string, [Access, Check]> = {
  'cmi.completion_status': ['rw', oneOf('completed', 'incomplete', 'not attempted', 'unknown')],
  'cmi.success_status': ['rw', oneOf('passed', 'failed', 'unknown')],
  'cmi.exit': ['w', oneOf('time-out', 'suspend', 'logout', 'normal', '')],
  'cmi.session_time': ['w', interval],
  'cmi.location': ['rw', text(1000)],
  'cmi.suspend_data': ['rw', text(64_000)],
  'cmi.progress_measure': ['rw', real(0, 1)],
  'cmi.score.scaled': ['rw', real(-1, 1)],
  'cmi.score.raw': ['rw', real(-Infinity, Infinity)],
  'cmi.score.min': ['rw', real(-Infinity, Infinity)],
  'cmi.score.max': ['rw', real(-Infinity, Infinity)],
  'cmi.learner_id': ['r', text(4000)],
  'cmi.learner_name': ['r', text(250)],
  'cmi.mode': ['r', text(20)],
  'cmi.entry': ['r', text(20)],
  'cmi.scaled_passing_score': ['r', real(-1, 1)],
};

const kinds = ['true-false', 'choice', 'fill-in', 'long-fill-in', 'matching', 'performance', 'sequencing', 'likert', 'numeric', 'other'];
const interactionFields: Record<string, Check> = {
  id: (value) => (value.trim() !== '' && value.length <= 4000 ? 0 : typeMismatch),
  type: oneOf(...kinds),
  timestamp: instant,
  description: text(250),
  learner_response: text(4000),
  result: (value) => (['correct', 'incorrect', 'unanticipated', 'neutral'].includes(value) ? 0 : real(-Infinity, Infinity)(value)),
  latency: interval,
};

export type Interaction = Record<string, string>;

export interface Kept {
  values: Record<string, string>;
  interactions: Interaction[];
}

export interface Visit {
  learnerName?: string;
  mode?: string;
  passingScore?: string;
}

export class ScormPlatform {
  readonly errors: string[] = [];
  kept: Kept;
  commits = 0;
  isOver = false;
  private state: 'new' | 'running' | 'over' = 'new';
  private error = 0;

  constructor(kept: Kept | null = null, {learnerName = 'Lovelace, Ada', mode = 'normal', passingScore}: Visit = {}) {
    const isResumed = kept?.values['cmi.exit'] === 'suspend';
    const old: Kept = isResumed && kept !== null ? structuredClone(kept) : {values: {}, interactions: []};
    const given = {'cmi.learner_id': 'id-of-ada', 'cmi.learner_name': learnerName, 'cmi.mode': mode, 'cmi.entry': isResumed ? 'resume' : 'ab-initio'};
    this.kept = {...old, values: {...old.values, ...given, ...(passingScore === undefined ? {} : {'cmi.scaled_passing_score': passingScore})}};
  }

  Initialize = (nothing: string): string => {
    if (nothing !== '') return this.fail(201, 'Initialize');
    if (this.state !== 'new') return this.fail(this.state === 'running' ? 103 : 104, 'Initialize');
    this.state = 'running';
    return this.succeed();
  };
  Terminate = (nothing: string): string => {
    if (nothing !== '') return this.fail(201, 'Terminate');
    if (this.state !== 'running') return this.fail(this.state === 'new' ? 112 : 113, 'Terminate');
    this.state = 'over';
    this.isOver = true;
    return this.succeed();
  };
  Commit = (nothing: string): string => {
    if (nothing !== '') return this.fail(201, 'Commit');
    if (this.state !== 'running') return this.fail(this.state === 'new' ? 142 : 143, 'Commit');
    ++this.commits;
    return this.succeed();
  };
  GetLastError = (): string => String(this.error);

  GetValue = (name: string): string => {
    if (this.state !== 'running') return this.failToGet(this.state === 'new' ? 122 : 123, name);
    if (name === 'cmi.interactions._count') return this.got(String(this.kept.interactions.length));
    const interaction = this.interaction(name);
    if (interaction !== null) {
      const {n, field} = interaction;
      if (interactionFields[field] === undefined) return this.failToGet(401, name);
      const value = this.kept.interactions[n]?.[field];
      return value === undefined ? this.failToGet(n < this.kept.interactions.length ? 403 : 301, name) : this.got(value);
    }
    const element = elements[name];
    if (element === undefined) return this.failToGet(401, name);
    if (element[0] === 'w') return this.failToGet(405, name);
    const value = this.kept.values[name];
    // That nothing was set is no mistake of who asks.
    if (value === undefined) return (this.error = 403), '';
    return this.got(value);
  };

  SetValue = (name: string, value: string): string => {
    if (typeof value !== 'string') return this.fail(406, name);
    if (this.state !== 'running') return this.fail(this.state === 'new' ? 132 : 133, name);
    const interaction = this.interaction(name);
    if (interaction !== null) return this.setInteraction(name, interaction, value);
    const element = elements[name];
    if (element === undefined) return this.fail(401, name);
    if (element[0] === 'r') return this.fail(404, name);
    const error = element[1](value);
    if (error !== 0) return this.fail(error, `${name}=${value}`);
    this.kept.values[name] = value;
    return this.succeed();
  };

  private setInteraction(name: string, {n, field}: {n: number; field: string}, value: string): string {
    const check = interactionFields[field];
    if (check === undefined) return this.fail(401, name);
    if (n > this.kept.interactions.length) return this.fail(351, name);
    const known = this.kept.interactions[n];
    if (field !== 'id' && known === undefined) return this.fail(408, name);
    if (field === 'learner_response' && known?.type === undefined) return this.fail(408, name);
    const error = check(value);
    if (error !== 0) return this.fail(error, `${name}=${value}`);
    this.kept.interactions[n] = {...known, [field]: value};
    return this.succeed();
  }

  private interaction(name: string): {n: number; field: string} | null {
    const found = /^cmi\.interactions\.(\d+)\.(\w+)$/.exec(name);
    return found === null ? null : {n: Number(found[1]), field: found[2] ?? ''};
  }

  private got(value: string): string {
    this.error = 0;
    return value;
  }
  private succeed(): string {
    return this.got('true');
  }
  private fail(error: number, what: string): string {
    this.error = error;
    this.errors.push(`${error} ${what}`);
    return 'false';
  }
  private failToGet(error: number, name: string): string {
    this.fail(error, name);
    return '';
  }
}
