// Where workbenches tell what a learner does.

import type {WorkEvent} from './work_event';

export function useLog(): (event: WorkEvent) => void {
  return () => undefined;
}
