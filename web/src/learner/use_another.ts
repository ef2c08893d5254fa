// Another exercise of the same kind: of the skill of a puzzle, or like the problem; if that takes too long, a random one of its domain.

import {useTutor} from '../engine/context';
import type {Exercise} from '../engine/wire';
import {plainDomain} from './domains';

const skillOfPuzzle: Readonly<Record<string, string>> = {
  sorting: 'sorting',
  'ternary-addition': 'ternary-addition',
  'rubiks-cube': 'cube',
};

export function randomSeed(): number {
  return 1 + Math.floor(Math.random() * 1_000_000);
}

export function useAnother(exercise: Exercise | null, open: (exercise: Exercise) => void): () => Promise<void> {
  const tutor = useTutor();
  return async () => {
    if (exercise === null) return;
    const {domain, problem} = exercise;
    const seed = randomSeed();
    const skill = skillOfPuzzle[plainDomain(domain)];
    try {
      open(await tutor.exercise(skill === undefined ? {like: problem, domain, seed} : {skill, level: 2, seed}));
    } catch {
      const random = await tutor.generate({domain, seed}).catch(() => null);
      if (random !== null) open(random);
    }
  };
}
