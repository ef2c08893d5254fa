// An exercise in a list: its formula, or the unfolded cube, of which no formula says much.

import {Formula} from '../parts/formula';
import {FlatCube} from '../pictures/cube';
import type {ShownExercise} from './exercises';

export function ExerciseLine({exercise}: {exercise: ShownExercise}) {
  const {notation, mathml, speech, picture} = exercise;
  if (picture?.kind === 'cube') return <FlatCube stickers={picture.stickers} />;
  return <Formula text={notation} mathml={mathml} speech={speech} />;
}
