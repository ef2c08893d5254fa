// The problems that were worked on last, newest first, each with its work. Kept in this browser alone.

import type {Exercise} from '../engine/wire';
import {forget, recall, remember} from '../state/storage';
import {readExercise} from './exercise';

const key = 'learner.history';
const most = 20;

export function workKeyOf({domain, problem}: Exercise): string {
  return `learner.work.${domain} ${problem}`;
}

export function isSame(a: Pick<Exercise, 'domain' | 'problem'>, b: Pick<Exercise, 'domain' | 'problem'>): boolean {
  return a.domain === b.domain && a.problem === b.problem;
}

export function pastExercises(): Exercise[] {
  return recall(key, (stored) => (Array.isArray(stored) ? stored.map(readExercise).filter((exercise) => exercise !== undefined) : undefined)) ?? [];
}

/** It is the newest from now on; what is too old is forgotten with its work. */
export function keepExercise(exercise: Exercise): void {
  const all = [exercise, ...pastExercises().filter((past) => !isSame(past, exercise))];
  for (const old of all.splice(most)) forget(workKeyOf(old));
  remember(key, all);
}

export function forgetExercises(): void {
  for (const past of pastExercises()) forget(workKeyOf(past));
  forget(key);
}
