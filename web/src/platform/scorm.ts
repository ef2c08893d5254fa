// The platform's side of a course, by SCORM 2004: finds the object that the platform put beside the page, and tells it what was done.
// Exercises are its interactions; its score is the share of points.

import {pointsOf, suspended, type Course} from './course';

/** The methods of API_1484_11. Values are texts, and so are "true" and "false". */
export interface ScormApi {
  Initialize(nothing: ''): string;
  Terminate(nothing: ''): string;
  GetValue(name: string): string;
  SetValue(name: string, value: string): string;
  Commit(nothing: ''): string;
  GetLastError(): string;
}

const mostFrames = 500; // as the standard has it
const mostSuspended = 64_000;
const mostResponse = 4000;
const mostDescription = 250;

/** In the frames around the page, then in those of the window that opened it. */
export function findApi(from: Window): ScormApi | null {
  return inFramesOf(from) ?? (from.opener === null ? null : inFramesOf(from.opener as Window));
}

function inFramesOf(from: Window): ScormApi | null {
  let frame = from;
  for (let count = 0; count < mostFrames; ++count) {
    try {
      const api = (frame as Window & {API_1484_11?: ScormApi}).API_1484_11;
      if (api != null) return api;
    } catch {
      return null; // a window of another origin
    }
    if (frame.parent === frame) return null;
    frame = frame.parent;
  }
  return null;
}

export interface Begun {
  learner: string;
  /** What was kept of an earlier visit. */
  kept: string;
  /** Whether anything is to be reported: not when somebody only looks at it. */
  isReported: boolean;
}

export class ScormSession {
  private readonly told = new Map<string, string>();
  private readonly interactions: string[] = [];
  private isOver = false;
  private isReported = false;

  constructor(
    private readonly api: ScormApi,
    private readonly exercises: readonly string[],
    /** Hears of what the platform did not take, with its number of the error. */
    private readonly onTrouble: (error: string) => void,
    private readonly now: () => number = Date.now,
    private readonly startedAt = now(),
  ) {}

  begin(): Begun {
    if (this.api.Initialize('') !== 'true') this.onTrouble(this.api.GetLastError());
    const mode = this.api.GetValue('cmi.mode');
    this.isReported = mode !== 'browse' && mode !== 'review';
    const count = Number(this.api.GetValue('cmi.interactions._count')) || 0;
    for (let n = 0; n < count; ++n) this.interactions.push(this.api.GetValue(`cmi.interactions.${n}.id`));
    return {
      learner: this.api.GetValue('cmi.learner_name'),
      kept: this.api.GetValue('cmi.suspend_data'),
      isReported: this.isReported,
    };
  }

  /** Tells of an exercise, or of none, and of the set. */
  report(course: Course, exercise: number | null): void {
    if (this.isOver || !this.isReported) return;
    if (exercise !== null) this.reportExercise(course, exercise);
    const count = this.exercises.length;
    const work = Object.values(course.work);
    const points = work.reduce((sum, one) => sum + pointsOf(one), 0);
    const solved = work.filter((one) => one.isSolved).length;
    this.set('cmi.score.min', '0');
    this.set('cmi.score.max', String(count));
    this.set('cmi.score.raw', String(points));
    this.set('cmi.score.scaled', real(points / count));
    this.set('cmi.progress_measure', real(solved / count));
    this.set('cmi.completion_status', solved === count ? 'completed' : 'incomplete');
    const passing = this.api.GetValue('cmi.scaled_passing_score');
    // Without a score to reach nobody has failed.
    if (solved === count && passing !== '') this.set('cmi.success_status', points / count >= Number(passing) ? 'passed' : 'failed');
    this.set('cmi.location', String(course.current + 1));
    this.set('cmi.suspend_data', suspended(course, mostSuspended));
    this.set('cmi.exit', 'suspend');
    this.set('cmi.session_time', `PT${Math.round((this.now() - this.startedAt) / 1000)}S`);
    if (this.api.Commit('') !== 'true') this.onTrouble(this.api.GetLastError());
  }

  end(course: Course): void {
    if (this.isOver) return;
    this.report(course, null);
    this.isOver = true;
    this.api.Terminate('');
  }

  private reportExercise(course: Course, index: number): void {
    const work = course.work[index];
    if (work === undefined) return;
    const id = `exercise-${index + 1}`;
    let n = this.interactions.indexOf(id);
    const isNew = n < 0;
    if (isNew) n = this.interactions.push(id) - 1;
    const set = (name: string, value: string): void => this.set(`cmi.interactions.${n}.${name}`, value);
    if (isNew) {
      // The identifier comes first, and then the type: the rest depends on them.
      set('id', id);
      set('type', 'long-fill-in');
      set('timestamp', new Date(this.now()).toISOString().replace(/\.\d+/, ''));
      set('description', (this.exercises[index] ?? '').slice(0, mostDescription));
    }
    const response = work.journal.join('\n').slice(-mostResponse);
    if (response !== '') set('learner_response', response);
    set('latency', `PT${work.seconds}S`);
    set('result', !work.isSolved ? 'neutral' : pointsOf(work) > 0 ? 'correct' : 'incorrect');
  }

  private set(name: string, value: string): void {
    if (this.told.get(name) === value) return;
    if (this.api.SetValue(name, value) === 'true') this.told.set(name, value);
    else this.onTrouble(this.api.GetLastError());
  }
}

/** Seven digits behind the point, as the standard has it. */
function real(value: number): string {
  return String(Number(value.toFixed(7)));
}
