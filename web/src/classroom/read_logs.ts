// Logs that pupils downloaded and handed in, as results: for classes without a server. Whatever is no log is named.

import {isRecord} from '../state/storage';
import type {WorkDone} from './api';
import type {Shown} from './results_table';

export interface ReadLogs {
  results: Shown;
  unread: string[]; // names of files
}

/** A file is a pupil: its name says whose, since logs have no names. */
export function readLogs(files: readonly {name: string; text: string}[]): ReadLogs {
  const problems: string[] = [];
  const pupils: Shown['pupils'] = [];
  const unread: string[] = [];
  for (const {name, text} of files) {
    const entries = entriesOf(text);
    if (entries === null) unread.push(name);
    else pupils.push({name: name.replace(/\.json$/i, ''), work: workOf(entries, problems)});
  }
  return {results: {exercises: problems.map((notation) => ({notation})), pupils}, unread};
}

function entriesOf(text: string): Record<string, unknown>[] | null {
  try {
    const file: unknown = JSON.parse(text);
    if (!isRecord(file) || file.format !== 'conpole-log' || !Array.isArray(file.entries)) return null;
    return file.entries.filter(isRecord);
  } catch {
    return null;
  }
}

/** Problems that are new are added to the list. */
function workOf(entries: readonly Record<string, unknown>[], problems: string[]): WorkDone[] {
  const work = new Map<number, WorkDone>();
  for (const {event, problem, line, verdict, correct, mistake, seconds, at} of entries) {
    if (typeof problem !== 'string' || event === 'mastered') continue;
    if (!problems.includes(problem)) problems.push(problem);
    const exercise = problems.indexOf(problem) + 1;
    const done = work.get(exercise) ?? {exercise, solved: false, lines: [], hints: 0, solutions: 0, mistakes: {}, seconds: 0};
    work.set(exercise, done);
    if (event === 'hint') ++done.hints;
    if (event === 'solution') ++done.solutions;
    if (event === 'solved') done.solved = true;
    if (event === 'solved' && typeof seconds === 'number') done.seconds += seconds;
    if (event !== 'line' || typeof line !== 'string') continue;
    const name = typeof mistake === 'string' ? mistake : null;
    done.lines.push({line, verdict: String(verdict), correct: correct === true, mistake: name, time: String(at)});
    if (name !== null) done.mistakes[name] = (done.mistakes[name] ?? 0) + 1;
  }
  return [...work.values()].sort((a, b) => a.exercise - b.exercise);
}
