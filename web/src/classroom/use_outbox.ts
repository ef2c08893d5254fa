// The outbox of one pupil, in this browser.

import {useEffect, useMemo, useState} from 'preact/hooks';
import {recall, remember} from '../state/storage';
import {ClassError, classServer} from './api';
import {Outbox, type Sending, type Sent} from './outbox';

const longestPause = 30_000;

export function useOutbox(set: string, pupil: string): {outbox: Outbox; waiting: number} {
  const key = `class.${set}.outbox`;
  const [waiting, setWaiting] = useState(0);
  const outbox = useMemo(
    () =>
      new Outbox({
        load: () => recall(key, (stored) => stored),
        save: (list) => remember(key, list),
        send: (one) => send(set, pupil, one),
        later: (attempt, go) => void setTimeout(go, Math.min(longestPause, 1000 * 2 ** attempt)),
        onChange: setWaiting,
        now: Date.now,
      }),
    [set, pupil],
  );
  useEffect(() => {
    setWaiting(outbox.count);
    const flush = (): void => void outbox.flush();
    flush();
    addEventListener('online', flush);
    return () => removeEventListener('online', flush);
  }, [outbox]);
  return {outbox, waiting};
}

async function send(set: string, pupil: string, one: Sending): Promise<Sent> {
  try {
    await classServer.work({set, pupil, ...one});
    return 'kept';
  } catch (error) {
    const status = error instanceof ClassError ? error.status : 0;
    return status >= 400 && status < 500 && status !== 408 && status !== 429 ? 'refused' : 'later';
  }
}
