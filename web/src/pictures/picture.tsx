// The picture that belongs to a line, if its domain has one. With `onStep` the steps that lead on can be taken in it, once they
// are known.

import type {NextStep, Picture as PictureData} from '../engine/wire';
import {Balance} from './balance';
import {Bars} from './bars';
import {Cube} from './cube';
import {Fractions} from './fractions';
import {Grid} from './grid';

interface PictureProps {
  picture: PictureData | null | undefined;
  steps?: readonly NextStep[] | undefined;
  /** Takes a step; the promise, if any, is kept when it was taken or refused. */
  onStep?: ((step: NextStep) => void | Promise<void>) | undefined;
}

const noSteps: readonly NextStep[] = [];

export function Picture({picture, steps = noSteps, onStep}: PictureProps) {
  switch (picture?.kind) {
    case 'bars':
      return <Bars values={picture.values} moved={picture.moved} actions={onStep && steps} onAction={onStep} />;
    case 'cube':
      return <Cube stickers={picture.stickers} steps={steps} onStep={onStep && ((step: NextStep) => void onStep(step))} />;
    case 'fractions':
      return <Fractions terms={picture.terms} />;
    case 'balance':
      return <Balance unknown={picture.unknown} left={picture.left} right={picture.right} />;
    case 'grid':
      return <Grid rows={picture.rows} colours={picture.colours} moved={picture.moved} />;
    default:
      return null;
  }
}
