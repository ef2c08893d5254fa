// Another exercise of the same kind: like the problem where its domain has skills, else one generated in its domain.

import {useTutor} from '../engine/context';
import type {Exercise} from '../engine/wire';

export function randomSeed(): number {
  return 1 + Math.floor(Math.random() * 1_000_000);
}

export function useAnother(exercise: Exercise | null, open: (exercise: Exercise) => void): () => Promise<void> {
  const tutor = useTutor();
  return async () => {
    if (exercise === null) return;
    const {domain, problem} = exercise;
    const seed = randomSeed();
    try {
      open(await tutor.exercise({like: problem, domain, seed}));
    } catch {
      open(await tutor.generate({domain, seed}));
    }
  };
}
