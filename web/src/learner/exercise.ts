import type {Exercise, Reading} from '../engine/wire';
import {isRecord} from '../state/storage';

/** The exercise that was stored, or undefined if it is not one. */
export function readExercise(stored: unknown): Exercise | undefined {
  if (!isRecord(stored)) return undefined;
  const {domain, problem, notation} = stored;
  if (typeof domain !== 'string' || typeof problem !== 'string' || typeof notation !== 'string' || problem === '') return undefined;
  return stored as unknown as Exercise;
}

/** What was typed, as an exercise. */
export function exerciseOf(reading: Reading): Exercise {
  const {domain, state, notation, mathml, speech, picture, read_as, solved} = reading;
  return {domain, problem: state, notation, mathml, speech, picture, read_as, solved};
}
