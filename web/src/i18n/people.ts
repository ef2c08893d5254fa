import {table} from './table';

export const people = table('people', {
  title: 'Who works here?',
  intro:
    'At a computer that several people use, each can have a place of their own: problems, progress and log stay apart. There are no passwords: whoever sits here can open any place.',
  now: 'Now: {name}',
  now_guest: 'Now: a guest',
  nobody: 'whoever sits here',
  work_as: 'Work as {name}',
  name: 'A new name or nickname',
  add: 'Make a place',
  as_guest: 'Work as a guest',
  without_name: 'Work without a name',
  guest_help: 'Nothing of a guest is kept: all of it is gone when this tab is closed.',
  kept_title: 'What is kept, and where',
  kept_here:
    'In this browser: the problems that you typed, your lines, how far you are in your exercises, your log, sets that you made, and how the page looks. All of it stays on this device unless you download it, print it or pass on a link.',
  kept_school:
    'In a class, or on a learning platform of your school, your name there, your lines and your results go to the server of your school. The page says so before you begin. Your teacher can tell you who sees them, and for how long.',
  kept_not: 'There are no cookies, no advertising and no counting of visitors, and nothing is asked of other companies.',
  delete_one: 'Delete all of {name}',
  delete_all: 'Delete everything that this page keeps in this browser',
});
