// Items of a set as exercises that can be shown: the engine reads their texts or makes them anew.

import {useEffect, useRef, useState} from 'preact/hooks';
import {useTutor} from '../engine/context';
import {isAbort, messageOf, type Tutor} from '../engine/engine';
import type {Markup} from '../engine/wire';
import {isSkillItem, type SetItem} from '../share';

export interface ShownExercise extends Markup {
  domain: string;
  problem: string;
  notation: string;
}

export type Resolved = {state: 'loading'} | {state: 'failed'; message: string} | {state: 'ready'; exercise: ShownExercise};

export async function resolveItem(tutor: Tutor, item: SetItem, signal?: AbortSignal): Promise<ShownExercise> {
  const options = signal === undefined ? {} : {signal};
  if (isSkillItem(item)) return tutor.exercise({skill: item.skill, level: item.level, seed: item.seed}, options);
  const reading = await tutor.read({text: item.problem, domain: item.domain}, options);
  return {...reading, problem: reading.state};
}

const loading: Resolved = {state: 'loading'};

function nameOf(item: SetItem): string {
  return isSkillItem(item) ? `${item.skill} ${item.level} ${item.seed}` : `${item.domain} ${item.problem}`;
}

/** The exercises of items, in their order; each is asked for once. */
export function useExercises(items: readonly SetItem[]): Resolved[] {
  const tutor = useTutor();
  const [known, setKnown] = useState(new Map<string, Resolved>());
  const asked = useRef<{tutor: Tutor; names: Set<string>}>({tutor, names: new Set()});

  useEffect(() => {
    if (asked.current.tutor !== tutor) {
      asked.current = {tutor, names: new Set()};
      setKnown(new Map());
    }
    const {names} = asked.current;
    const settle = (name: string, resolved: Resolved): void => {
      if (asked.current.tutor === tutor) setKnown((old) => new Map(old).set(name, resolved));
    };
    for (const item of items) {
      const name = nameOf(item);
      if (names.has(name)) continue;
      names.add(name);
      resolveItem(tutor, item).then(
        (exercise) => settle(name, {state: 'ready', exercise}),
        (error: unknown) => {
          names.delete(name);
          if (!isAbort(error)) settle(name, {state: 'failed', message: messageOf(error)});
        },
      );
    }
  }, [items, tutor]);

  return items.map((item) => known.get(nameOf(item)) ?? loading);
}

/** A seed that nobody chose: sets made on the same day differ. */
export function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
