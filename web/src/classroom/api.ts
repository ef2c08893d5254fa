// What a server that keeps results is asked (conpole serve --data): /class/OPERATION, beside the page.

import type {RecordStore} from '../../engine/xapi.js';
import type {Language} from '../i18n/table';
import type {SetItem} from '../share';

export interface Keys {
  pupils: string;
  results: string;
  until: string;
}

export interface ClassSet {
  title: string;
  language: Language;
  hints: boolean;
  until: string;
  exercises: {domain: string; problem: string; notation: string}[];
  /** The learning record store that the server wants told, too. */
  records?: RecordStore;
}

export interface WorkDone {
  exercise: number; // counts from 1
  solved: boolean;
  lines: {line: string; verdict: string; correct: boolean; mistake: string | null; time: string}[];
  hints: number;
  solutions: number;
  mistakes: Record<string, number>;
  seconds: number;
}

export interface Results extends ClassSet {
  made: string;
  pupils_key: string;
  pupils: {name: string; work: WorkDone[]}[];
}

/** `status` 0: the server was not reached. */
export class ClassError extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

async function ask(operation: string, request: object, token = ''): Promise<Response> {
  const headers = {'Content-Type': 'application/json', ...(token === '' ? {} : {Authorization: `Bearer ${token}`})};
  const response = await fetch(`./class/${operation}`, {method: 'POST', headers, body: JSON.stringify(request)}).catch((error: unknown) => {
    throw new ClassError(0, String(error));
  });
  if (response.ok) return response;
  const problem: unknown = await response.json().catch(() => null);
  const detail = typeof problem === 'object' && problem !== null && 'detail' in problem ? String(problem.detail) : '';
  throw new ClassError(response.status, detail);
}

async function answer<T>(operation: string, request: object, token?: string): Promise<T> {
  return (await (await ask(operation, request, token)).json()) as T;
}

export const classServer = {
  make: (set: {title: string; language: Language; hints: boolean; items: SetItem[]}, token: string) => answer<Keys>('make', set, token),
  set: (key: string) => answer<ClassSet>('set', {set: key}),
  join: (key: string, name: string, pupil: string) => answer<{name: string}>('join', {set: key, name, pupil}),
  pupil: (key: string, pupil: string) => answer<{name: string; work: WorkDone[]}>('pupil', {set: key, pupil}),
  work: (request: object) => answer<unknown>('work', request),
  results: (key: string) => answer<Results>('results', {results: key}),
  csv: async (key: string) => (await ask('csv', {results: key})).text(),
  delete: (key: string, name?: string) => answer<unknown>('delete', {results: key, ...(name === undefined ? {} : {name})}),
};
