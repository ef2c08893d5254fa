// Places of people at one computer: apart from one another, nothing left of guests, and deleted as a whole.

import assert from 'node:assert/strict';
import {beforeEach, test} from 'node:test';
import {currentPerson, people, removePerson, withPerson} from '../../src/state/people';
import {clearPlace, forget, guest, leaveNothing, ownTexts, recall, remember, whoWorks, workAs} from '../../src/state/storage';

/** As browsers have it: the keys are properties that can be listed. */
function fakeStorage(): Storage {
  const storage = {} as Record<string, unknown>;
  const methods = {
    getItem: (key: string) => (typeof storage[key] === 'string' ? storage[key] : null),
    setItem: (key: string, value: string) => void (storage[key] = value),
    removeItem: (key: string) => void delete storage[key],
  };
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(storage, name, {value, enumerable: false});
  return storage as unknown as Storage;
}

function give(name: 'localStorage' | 'sessionStorage'): void {
  Object.defineProperty(globalThis, name, {value: fakeStorage(), configurable: true, writable: true});
}

beforeEach(() => {
  give('localStorage');
  give('sessionStorage');
});

const text = (stored: unknown): string | undefined => (typeof stored === 'string' ? stored : undefined);

test('each has a place of their own, and what is of the computer is of all', () => {
  remember('progress', 'of nobody');
  remember('settings', 'dark');
  const ada = withPerson(' Ada ');
  const bob = withPerson('Bob');
  assert.ok(ada !== null && bob !== null && ada.id !== bob.id);
  assert.deepEqual(withPerson('ada'), ada);
  assert.equal(withPerson('  '), null);
  workAs(ada.id);
  assert.equal(currentPerson()?.name, 'Ada');
  assert.equal(recall('progress', text), undefined);
  assert.equal(recall('settings', text), 'dark');
  remember('progress', 'of Ada');
  ownTexts.setItem('conpole.1.log', 'lines of Ada');
  workAs(bob.id);
  assert.deepEqual([recall('progress', text), ownTexts.getItem('conpole.1.log')], [undefined, null]);
  workAs(ada.id);
  assert.deepEqual([recall('progress', text), ownTexts.getItem('conpole.1.log')], ['of Ada', 'lines of Ada']);
  workAs('');
  assert.equal(recall('progress', text), 'of nobody');
});

test('who is deleted leaves nothing, and nobody else loses anything', () => {
  remember('progress', 'of nobody');
  const ada = withPerson('Ada');
  const bob = withPerson('Bob');
  assert.ok(ada !== null && bob !== null);
  for (const {id} of [ada, bob]) {
    workAs(id);
    remember('progress', id);
  }
  workAs(ada.id);
  removePerson(ada.id);
  assert.equal(whoWorks(), '');
  assert.deepEqual(people(), [bob]);
  assert.ok(!JSON.stringify(localStorage).includes(ada.id));
  assert.equal(recall('progress', text), 'of nobody');
  clearPlace('');
  assert.equal(recall('progress', text), undefined);
  workAs(bob.id);
  assert.equal(recall('progress', text), bob.id);
  clearPlace('all');
  assert.deepEqual([Object.keys(localStorage), Object.keys(sessionStorage)], [[], []]);
});

test('of a guest nothing stays', () => {
  workAs(guest);
  remember('progress', 'of a guest');
  remember('settings', 'dark');
  assert.equal(recall('progress', text), 'of a guest');
  assert.deepEqual(Object.keys(localStorage), ['conpole.1.settings']);
  forget('settings');
  clearPlace(guest);
  assert.equal(recall('progress', text), undefined);
  assert.equal(whoWorks(), guest);
});

test('people that somebody else wrote are none', () => {
  localStorage.setItem('conpole.1.people', JSON.stringify([{id: '../x', name: 'Eve'}, {id: 'abcdef01'}, 7, {id: 'abcdef01', name: 'Cid'}]));
  assert.deepEqual(people(), [{id: 'abcdef01', name: 'Cid'}]);
});

test('a course of a learning platform keeps nothing in the browser', () => {
  leaveNothing();
  remember('settings', 'dark');
  remember('course', 'work');
  assert.deepEqual(Object.keys(localStorage), []);
  assert.equal(recall('course', text), 'work');
});
