// The picture that belongs to a line, if its domain has one. With `onStep` the steps that lead on can be taken in it, once they
// are known.

import type {NextStep, Picture as PictureData} from '../engine/wire';
import {Bars} from './bars';
import {Cube} from './cube';
import {Fractions} from './fractions';

interface PictureProps {
  picture: PictureData | null | undefined;
  steps?: readonly NextStep[] | undefined;
  onStep?: ((step: NextStep) => void) | undefined;
}

const noSteps: readonly NextStep[] = [];

export function Picture({picture, steps = noSteps, onStep}: PictureProps) {
  switch (picture?.kind) {
    case 'bars':
      return <Bars values={picture.values} moved={picture.moved} actions={onStep && steps} onAction={onStep} />;
    case 'cube':
      return <Cube stickers={picture.stickers} steps={steps} onStep={onStep} />;
    case 'fractions':
      return <Fractions terms={picture.terms} />;
    default:
      return null;
  }
}
