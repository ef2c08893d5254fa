// The picture of the last line, with which a puzzle can be worked.

import type {NextStep} from '../engine/wire';
import {Picture} from '../pictures/picture';
import type {WorkSession} from './use_work';
import {currentPicture} from './work';

export function WorkPicture({session, steps}: {session: WorkSession; steps: readonly NextStep[]}) {
  const picture = currentPicture(session.work);
  if (picture === undefined) return null;
  return (
    <div class="work-picture">
      <Picture picture={picture} steps={steps} onStep={(step) => session.takeStep(step)} />
    </div>
  );
}
