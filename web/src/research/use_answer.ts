// An answer of the engine to a question that changes: the newest one counts, and a search that nobody waits for is ended.

import {useEffect, useState} from 'preact/hooks';
import {isAbort, messageOf, type CallOptions, type SearchProgress} from '../engine/engine';

export type Answer<T> =
  | {state: 'none'}
  | {state: 'waiting'; progress: SearchProgress | null; stop: () => void}
  | {state: 'failed'; message: string}
  | {state: 'ready'; value: T};

/** Asks whenever one of `inputs` changes; nothing while `ask` is null. */
export function useAnswer<T>(ask: ((options: CallOptions) => Promise<T>) | null, inputs: readonly unknown[]): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({state: 'none'});
  useEffect(() => {
    if (ask === null) return setAnswer({state: 'none'});
    const control = new AbortController();
    const stop = (): void => {
      control.abort();
      setAnswer({state: 'none'});
    };
    let isCurrent = true;
    const set = (next: Answer<T>): void => {
      if (isCurrent) setAnswer(next);
    };
    set({state: 'waiting', progress: null, stop});
    ask({signal: control.signal, onProgress: (progress) => set({state: 'waiting', progress, stop})}).then(
      (value) => set({state: 'ready', value}),
      (error: unknown) => !isAbort(error) && set({state: 'failed', message: messageOf(error)}),
    );
    return () => {
      isCurrent = false;
      control.abort();
    };
  }, inputs);
  return answer;
}
