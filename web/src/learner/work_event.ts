import type {LogDetails} from '../export/log';

/** What a learner did, for those who keep a log; fields that do not belong to an event are left out. Of `line`: all lines up to it. */
export type WorkEvent = Omit<LogDetails, 'event' | 'set'> & {event: 'started' | 'line' | 'hint' | 'solution' | 'solved'; lines?: string[]};
