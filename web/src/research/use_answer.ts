// An answer of the engine to a question that changes: the newest one counts, and a search that nobody waits for is ended. What was
// answered before is not shown for what is asked now, not even until the question is on its way.

import {useEffect, useState} from 'preact/hooks';
import {isAbort, messageOf, type CallOptions, type SearchProgress} from '../engine/engine';

export type Answer<T> =
  | {state: 'none'}
  | {state: 'waiting'; progress: SearchProgress | null; stop: () => void}
  | {state: 'failed'; message: string}
  | {state: 'ready'; value: T};

/** Asks whenever one of `inputs` changes; nothing while `ask` is null. */
export function useAnswer<T>(ask: ((options: CallOptions) => Promise<T>) | null, inputs: readonly unknown[]): Answer<T> {
  const [answer, setAnswer] = useState<{of: readonly unknown[]; is: Answer<T>}>({of: inputs, is: {state: 'none'}});
  useEffect(() => {
    let isCurrent = true;
    const set = (is: Answer<T>): void => {
      if (isCurrent) setAnswer({of: inputs, is});
    };
    if (ask === null) return set({state: 'none'});
    const control = new AbortController();
    const stop = (): void => {
      control.abort();
      set({state: 'none'});
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
  const isOfThese = answer.of.length === inputs.length && answer.of.every((input, index) => Object.is(input, inputs[index]));
  if (isOfThese) return answer.is;
  return ask === null ? {state: 'none'} : {state: 'waiting', progress: null, stop: () => undefined};
}
