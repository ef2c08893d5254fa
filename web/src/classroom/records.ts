// Tells a learning record store what a pupil of a class does, if the server names one: xAPI statements, in the name that the pupil
// chose for the class.

import {useEffect, useMemo} from 'preact/hooks';
import {randomId, statementOf, StatementSender, type Agent, type RecordStore} from '../../engine/xapi.js';
import type {WorkEvent} from '../learner/work_event';
import {ownTexts, recall, remember} from '../state/storage';

/** What is to be called for everything that the pupil does; null if there is no store. */
export function useRecords(store: RecordStore | undefined, set: string, pupil: string, title: string): ((event: WorkEvent) => void) | null {
  const sender = useMemo(() => {
    // A queue for each store, so that one never gets what was meant for another.
    return store === undefined ? null : new StatementSender({...store, key: `conpole.1.statements ${store.endpoint}`, storage: ownTexts});
  }, [store?.endpoint]);
  useEffect(() => {
    if (sender === null) return;
    const flush = (): void => void sender.flush();
    const leave = (): void => sender.leave();
    flush();
    addEventListener('online', flush);
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('online', flush);
      removeEventListener('pagehide', leave);
      flush();
    };
  }, [sender]);
  if (sender === null) return null;
  const base = location.href.replace(/#.*$/s, '');
  const actor: Agent = {objectType: 'Agent', name: pupil, account: {homePage: base, name: pupil}};
  return (event) => {
    const {lines: _, ...details} = event;
    const entry = {...details, id: randomId(), at: new Date().toISOString(), session: registrationOf(set, pupil), set: title};
    sender.add(statementOf(entry, pupil, {base, actor}));
  };
}

/** One attempt of one pupil at one set, also across reloads. */
function registrationOf(set: string, pupil: string): string {
  const key = `class.${set}.registration.${pupil}`;
  const kept = recall(key, (stored) => (typeof stored === 'string' ? stored : undefined));
  if (kept !== undefined) return kept;
  const made = randomId();
  remember(key, made);
  return made;
}

/** Where statements go, for people: "lrs.example". */
export function hostOf(store: RecordStore): string {
  return new URL(store.endpoint, location.href).host;
}
