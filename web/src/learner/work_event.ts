/** What a learner did, for those who keep a log; fields that do not belong to an event are left out. */
export interface WorkEvent {
  event: 'started' | 'line' | 'hint' | 'solution' | 'solved';
  domain: string;
  problem: string;
  language?: string;
  skill?: string;
  level?: number;
  line?: string;
  correct?: boolean;
  verdict?: string;
  mistake?: string;
  hint?: number;
  helped?: boolean;
  seconds?: number;
}
