// Who has a place of their own at this computer. There are no passwords: a place keeps apart, it does not lock.

import {clearPlace, isRecord, recall, remember, whoWorks, workAs} from './storage';

export interface Person {
  id: string;
  name: string;
}

export const longestName = 40;
const mostPeople = 100;

function readPeople(stored: unknown): Person[] | undefined {
  if (!Array.isArray(stored)) return undefined;
  return (stored as unknown[]).flatMap((one) =>
    isRecord(one) && typeof one.id === 'string' && /^[0-9a-f]{8}$/.test(one.id) && typeof one.name === 'string' ? [{id: one.id, name: one.name.slice(0, longestName)}] : [],
  );
}

export function people(): Person[] {
  return recall('people', readPeople) ?? [];
}

/** Who works in this tab, if it is one of them. */
export function currentPerson(): Person | undefined {
  const who = whoWorks();
  return people().find(({id}) => id === who);
}

/** Whoever has the name already is the same person; null where there is no room for more, or no name. */
export function withPerson(name: string): Person | null {
  const plain = name.trim().slice(0, longestName);
  const all = people();
  const known = all.find((one) => one.name.toLowerCase() === plain.toLowerCase());
  if (known !== undefined || plain === '') return known ?? null;
  if (all.length >= mostPeople) return null;
  const id = Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const person = {id, name: plain};
  remember('people', [...all, person]);
  return person;
}

/** With all that was kept of them. */
export function removePerson(id: string): void {
  clearPlace(id);
  remember('people', people().filter((one) => one.id !== id));
  if (whoWorks() === id) workAs('');
}
