// The one log of this page's visit.

import {LearnerLog} from './log';

let log: LearnerLog | undefined;

/** Without a storage the log lasts as long as the page. */
function pageStorage(): Storage | Map<string, string> {
  try {
    return localStorage;
  } catch {
    return new Map();
  }
}

export function learnerLog(): LearnerLog {
  if (log !== undefined) return log;
  const storage = pageStorage();
  log = new LearnerLog({
    storage:
      storage instanceof Map
        ? {
            getItem: (key) => storage.get(key) ?? null,
            setItem: (key, value) => void storage.set(key, value),
            removeItem: (key) => void storage.delete(key),
          }
        : storage,
  });
  return log;
}
