// Where workbenches tell what a learner does.

import {learnerLog} from '../export/learner_log';
import type {WorkEvent} from './work_event';

export function useLog(): (event: WorkEvent) => void {
  return (event) => learnerLog().record(event);
}
