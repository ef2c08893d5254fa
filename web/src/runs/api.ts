// What a server that shows training runs is asked (conpole serve --runs): /runs/OPERATION, beside the page.

import {useEffect, useState} from 'preact/hooks';

export interface RunAbout {
  run: string;
  age: number; // seconds since it wrote something
  domain?: string;
  running?: boolean;
  step?: number;
  seconds?: number;
  validation_success?: number | null;
  best_validation?: number | null;
}

/** A line of metrics: step, seconds, loss, validation_success and, of several domains, validation_success/DOMAIN. */
export type Point = Record<string, number | null>;

export interface Run {
  run: string;
  age: number;
  progress: Omit<RunAbout, 'run' | 'age'> & {
    seconds_left?: number | null;
    tried?: {domain: string; problem: string; solution: string[]};
  };
  curve: Point[];
}

/** A run that has not said anything for so long has been killed. */
const silence = 120; // seconds

export function isRunning(age: number, running: boolean | undefined): boolean {
  return running === true && age < silence;
}

export type RunsAnswer<T> = {state: 'waiting'} | {state: 'failed'; status: number} | {state: 'ready'; value: T};

/** The answer, asked for again every two seconds while somebody looks. A failure stands in for nothing that was there before. */
export function useRuns<T>(operation: 'list' | 'show', run: string, token: string): RunsAnswer<T> {
  const [answer, setAnswer] = useState<RunsAnswer<T>>({state: 'waiting'});
  useEffect(() => {
    const control = new AbortController();
    const headers = {'Content-Type': 'application/json', ...(token === '' ? {} : {Authorization: `Bearer ${token}`})};
    const body = JSON.stringify(operation === 'show' ? {run} : {});
    const ask = async (): Promise<void> => {
      const failed = (status: number): void => {
        if (!control.signal.aborted) setAnswer((before) => (before.state === 'ready' && status === 0 ? before : {state: 'failed', status}));
      };
      try {
        const response = await fetch(`./runs/${operation}`, {method: 'POST', headers, body, signal: control.signal});
        if (response.ok) setAnswer({state: 'ready', value: (await response.json()) as T});
        else failed(response.status);
      } catch {
        failed(0);
      }
    };
    let timer: ReturnType<typeof setTimeout>;
    const again = async (): Promise<void> => {
      if (!document.hidden) await ask();
      if (!control.signal.aborted) timer = setTimeout(() => void again(), 2_000);
    };
    void again();
    return () => {
      control.abort();
      clearTimeout(timer);
    };
  }, [operation, run, token]);
  return answer;
}
