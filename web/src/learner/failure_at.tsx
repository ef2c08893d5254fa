import type {Failure, WorkSession} from './use_work';

/** What went wrong, beside the button that asked for it. It is announced when it happens. */
export function FailureAt({place, session: {failure}}: {place: Failure['at']; session: WorkSession}) {
  return failure?.at === place ? <p class="failure">{failure.text}</p> : null;
}
