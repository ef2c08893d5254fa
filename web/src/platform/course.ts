// What a learner did with a set on a learning platform: plain data, changed by pure functions, in the text that the platform keeps
// (cmi.suspend_data). What the page itself keeps is made from it again, so that nothing stays on a shared computer.

import type {WorkEvent} from '../learner/work_event';
import {isRecord} from '../state/storage';

export interface CourseWork {
  /** The lines that were accepted. */
  lines: string[];
  /** What happened in its order, for people to read: lines with what was wrong about them, help that was taken. */
  journal: string[];
  hints: number;
  wrong: number;
  wasShownSolution: boolean;
  isSolved: boolean;
  seconds: number;
}

export interface Course {
  current: number;
  /** By the number of the exercise, from 0. */
  work: Readonly<Record<number, CourseWork>>;
}

export const newCourse: Course = {current: 0, work: {}};
const untouched: CourseWork = {lines: [], journal: [], hints: 0, wrong: 0, wasShownSolution: false, isSolved: false, seconds: 0};

/** What is done to an exercise after it was solved changes nothing. */
export function withEvent(course: Course, index: number, event: WorkEvent, seconds: number): Course {
  const before = course.work[index] ?? untouched;
  if (before.isSolved) return {...course, current: index};
  const after = {...changed(before, event), seconds: Math.max(before.seconds, Math.round(seconds))};
  return {current: index, work: {...course.work, [index]: after}};
}

function changed(work: CourseWork, event: WorkEvent): CourseWork {
  const noted = (text: string): string[] => [...work.journal, text];
  switch (event.event) {
    case 'hint':
      return {...work, hints: work.hints + 1, journal: noted(`[hint ${event.hint ?? ''}]`.replace(' ]', ']'))};
    case 'solution':
      return {...work, wasShownSolution: true, journal: noted('[solution shown]')};
    case 'solved':
      return {...work, isSolved: true};
    case 'line': {
      const lines = event.lines ?? work.lines;
      if (event.correct === true || event.verdict === 'cannot_tell') return {...work, lines, journal: noted(event.line ?? '')};
      // What cannot be read is no mistake of calculation.
      if (event.verdict === 'unreadable') return {...work, journal: noted(`${event.line ?? ''} [not readable]`)};
      const mistake = event.mistake === undefined ? '' : `: ${event.mistake}`;
      return {...work, lines: lines.slice(0, -1), wrong: work.wrong + 1, journal: noted(`${event.line ?? ''} [wrong${mistake}]`)};
    }
    default:
      return work;
  }
}

/** One for an exercise that was solved, half of it with hints, nothing once the solution was looked at. */
export function pointsOf(work: CourseWork | undefined): number {
  if (work === undefined || !work.isSolved || work.wasShownSolution) return 0;
  return work.hints > 0 ? 0.5 : 1;
}

export function isAlone(work: CourseWork): boolean {
  return work.isSolved && work.hints === 0 && work.wrong === 0 && !work.wasShownSolution;
}

/** At most `most` characters, as the platform keeps them: rather without journals than without lines. */
export function suspended(course: Course, most: number): string {
  const text = (of: Course): string => JSON.stringify({version: 1, ...of});
  const whole = text(course);
  if (whole.length <= most) return whole;
  const shortened = (part: (work: CourseWork) => CourseWork): Course => ({
    ...course,
    work: Object.fromEntries(Object.entries(course.work).map(([index, work]) => [index, part(work)])),
  });
  const withoutJournals = text(shortened((work) => ({...work, journal: []})));
  if (withoutJournals.length <= most) return withoutJournals;
  return text(shortened((work) => ({...work, journal: [], lines: work.isSolved ? work.lines.slice(-1) : work.lines.slice(-8)})));
}

/** Whatever the platform gives back; what is no work is left out. */
export function resumed(text: string, count: number): Course {
  const kept = parsed(text);
  if (!isRecord(kept) || kept.version !== 1 || !isRecord(kept.work)) return newCourse;
  const work: Record<number, CourseWork> = {};
  for (const [index, value] of Object.entries(kept.work)) {
    const read = readWork(value);
    if (/^\d{1,3}$/.test(index) && Number(index) < count && read !== undefined) work[Number(index)] = read;
  }
  const {current} = kept;
  const isPlace = typeof current === 'number' && Number.isInteger(current) && current >= 0 && current < count;
  return {current: isPlace ? current : 0, work};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readWork(value: unknown): CourseWork | undefined {
  if (!isRecord(value) || !isTexts(value.lines) || !isTexts(value.journal)) return undefined;
  const number = (from: unknown): number => (typeof from === 'number' && Number.isFinite(from) && from >= 0 ? from : 0);
  return {
    lines: value.lines,
    journal: value.journal,
    hints: number(value.hints),
    wrong: number(value.wrong),
    wasShownSolution: value.wasShownSolution === true,
    isSolved: value.isSolved === true,
    seconds: number(value.seconds),
  };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
