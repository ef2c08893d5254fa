import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {CheckedLine, Exercise, Hint, Solution} from '../../src/engine/wire';
import {begin, canUndo, currentLine, currentPicture, hinted, isFlawless, judged, readWork, solutionShown, undone} from '../../src/learner/work';

const exercise: Exercise = {domain: 'algebra', problem: '2x + 3 = 7', notation: '2x + 3 = 7'};

function checked(part: Partial<CheckedLine>): CheckedLine {
  return {
    domain: 'algebra',
    state: '2x + 3 = 7',
    line: '2x = 4',
    verdict: 'progress',
    correct: true,
    is_true: null,
    is_step: null,
    helps: null,
    operation: null,
    operand: null,
    detour: null,
    changes_solutions: false,
    side: null,
    text: 'Correct, and a step towards the answer.',
    position: null,
    mistake: null,
    also: null,
    reminder: null,
    after_mistake: false,
    ...part,
  };
}

const hint: Hint = {domain: 'algebra', state: '2x + 3 = 7', level: 1, status: 'solved', text: 'The term should stand alone.', axiom: null, position: null, line: null, mistake: null, read_as: null};
const solution: Solution = {
  domain: 'algebra', problem: '2x + 3 = 7', status: 'solved', answer: 'x = 2', verified: true, expanded: 3, milliseconds: 1, read_as: null,
  steps: [
    {axiom: 'subtract', position: null, before: '2x + 3 = 7', after: '2x = 4', text: 'Subtract 3 from both sides.', why: []},
    {axiom: 'divide', position: null, before: '2x = 4', after: 'x = 2', text: 'Divide both sides by 2.', why: []},
  ],
}; // prettier-ignore

test('a right line is what the next one follows from', () => {
  const work = judged(begin(exercise), '2x=4', checked({}));
  assert.equal(currentLine(work), '2x=4');
  assert.equal(work.isSolved, false);
});

test('a wrong line stays visible, counts, and changes nothing else', () => {
  const wrong = checked({correct: false, verdict: 'not_equivalent', mistake: 'sign_moved', text: '3 kept its sign.'});
  const work = judged(begin(exercise), '2x=10', wrong);
  assert.equal(work.attempt?.mistake, 'sign_moved');
  assert.equal(work.wrongLines, 1);
  assert.equal(currentLine(work), exercise.problem);
  const solved = judged(work, 'x=2', checked({verdict: 'solved', line: 'x = 2'}));
  assert.equal(solved.attempt, null);
  assert.equal(isFlawless(solved), false);
});

test('a line that cannot be read is no mistake', () => {
  const work = judged(begin(exercise), '2x=', checked({correct: false, verdict: 'unreadable', line: null, position: 3}));
  assert.equal(work.wrongLines, 0);
  assert.equal(work.attempt?.shown, '2x=');
  assert.equal(isFlawless(judged(work, 'x=2', checked({verdict: 'solved'}))), true);
});

test('a problem that is an answer needs no work', () => {
  assert.equal(begin({...exercise, problem: 'x = 2', notation: 'x = 2', solved: true}).isSolved, true);
  assert.equal(begin(exercise).isSolved, false);
});

test('a turn of the cube is shown as a turn', () => {
  const work = judged(begin({...exercise, domain: 'rubiks-cube'}), 'R', checked({singmaster: 'R', notation: 'UUU...', mathml: '<math></math>'}));
  assert.equal(work.lines[0]?.shown, 'R');
  assert.equal(work.lines[0]?.mathml, undefined);
});

test('hints and the solution are help; the solution afterwards is none', () => {
  const solved = checked({verdict: 'solved', line: 'x = 2'});
  assert.equal(isFlawless(judged(begin(exercise), 'x=2', solved)), true);
  assert.equal(isFlawless(judged(hinted(begin(exercise), hint), 'x=2', solved)), false);
  assert.equal(isFlawless(judged(solutionShown(begin(exercise), solution, 1), 'x=2', solved)), false);
  assert.equal(isFlawless(solutionShown(judged(begin(exercise), 'x=2', solved), solution, 1)), true);
});

test('hints belong to a line', () => {
  const work = judged(hinted(begin(exercise), hint), '2x=4', checked({}));
  assert.deepEqual(work.hints, []);
  assert.equal(work.hintsTaken, 1);
});

test('no more steps are shown than there are', () => {
  assert.equal(solutionShown(begin(exercise), solution, Infinity).solution?.shown, 2);
});

test('taking back goes from the wrong line to the lines before it', () => {
  const one = judged(begin(exercise), '2x=4', checked({}));
  const wrong = judged(one, 'x=3', checked({correct: false, verdict: 'not_equivalent'}));
  assert.deepEqual(undone(wrong).lines, one.lines);
  assert.equal(undone(undone(wrong)).lines.length, 0);
  assert.equal(canUndo(undone(undone(wrong))), false);
});

test('the picture is that of the last line', () => {
  const bars = {kind: 'bars', values: [2, 1]} as const;
  const sorted = {kind: 'bars', values: [1, 2]} as const;
  const work = begin({...exercise, picture: {...bars, values: [...bars.values]}});
  assert.deepEqual(currentPicture(work), bars);
  const after = judged(work, '[1, 2]', checked({picture: {...sorted, values: [...sorted.values]}}));
  assert.deepEqual(currentPicture(after), sorted);
});

test('work survives being stored', () => {
  const work = hinted(judged(begin(exercise), '2x=4', checked({speech: '2 x equals 4'})), hint);
  assert.deepEqual(readWork(JSON.parse(JSON.stringify(work))), JSON.parse(JSON.stringify(work)));
});

test('what is stored may be anything', () => {
  const good: unknown = JSON.parse(JSON.stringify(judged(begin(exercise), '2x=4', checked({}))));
  const bad: unknown[] = [null, 1, 'x', [], {}, {exercise: null}, {exercise}, {exercise, lines: {}, hints: []}, {exercise, lines: [1], hints: []},
    {...(good as object), lines: [{entered: 1}]}, {...(good as object), exercise: {domain: 'algebra'}}]; // prettier-ignore
  for (const stored of bad) assert.equal(readWork(stored), undefined, JSON.stringify(stored));
  assert.equal(readWork({...(good as object), hintsTaken: 'many', solution: 7, attempt: 'x'})?.hintsTaken, 0);
});
