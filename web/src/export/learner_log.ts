// The one log of this page's visit.

import {ownTexts} from '../state/storage';
import {LearnerLog, type KeyValueStorage} from './log';

let log: LearnerLog | undefined;

export function learnerLog(): LearnerLog {
  return (log ??= new LearnerLog({storage: storageOrMemory()}));
}

/** Without a storage the log lasts as long as the page. */
function storageOrMemory(): KeyValueStorage {
  try {
    ownTexts.getItem('log');
    return ownTexts;
  } catch {
    const kept = new Map<string, string>();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    };
  }
}
