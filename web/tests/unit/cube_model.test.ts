import assert from 'node:assert/strict';
import {test} from 'node:test';

import * as cube from '../../src/pictures/cube_model';

// What the engine answers for these scrambles.
const states: Record<string, string> = {
  'R U': 'A500500500aB111111444bC225225221cD330334334dE002442442eF553553113f',
  "R U R'": 'A500500200aB111111113bC225225221cD044333333dE444442442eF553553500f',
  U: 'A000000000aB111111111bC225225225cD334334334dE442442442eF553553553f',
};

function after(text: string): number[] {
  const result = cube.readTurns(text);
  assert.ok(result.ok, text);
  return result.turns.reduce(cube.turned, cube.solvedColours());
}

test('turns lead where the engine says they lead', () => {
  for (const [turns, state] of Object.entries(states)) assert.equal(cube.stateOf(after(turns)), state, turns);
});

test("four quarter turns, a turn and its inverse, and six times R U R' U' are nothing", () => {
  for (let face = 0; face < 6; ++face) {
    const turn = {face, quarters: 1} as const;
    const four = [1, 2, 3, 4].reduce((colours) => cube.turned(colours, turn), cube.solvedColours());
    assert.ok(cube.isSolved(four));
    assert.ok(!cube.isSolved(cube.turned(cube.solvedColours(), turn)));
    for (const quarters of [1, 2, 3] as const) {
      const there = cube.turned(after("F R U2 B'"), {face, quarters});
      assert.deepEqual(cube.turned(there, cube.inverse({face, quarters})), after("F R U2 B'"));
    }
  }
  assert.ok(cube.isSolved(after("R U R' U'".concat(' ').repeat(6))));
});

test('turns are read as people write them', () => {
  const read = (text: string) => {
    const result = cube.readTurns(text);
    return result.ok ? result.turns.map(cube.writeTurn).join(' ') : result.position;
  };
  assert.equal(read("R U R' U2"), "R U R' U2");
  assert.equal(read("RUR’U2'"), "R U R' U2");
  assert.equal(read('  '), '');
  assert.equal(read('R U x'), 4);
  assert.equal(read('R  (U)'), 3);
  assert.equal(read('r'), 0);
  assert.deepEqual(['R1', 'R-1', ''].map(cube.turnOfLabel), ['R', "R'", '']);
});

test('stickers are read from facelets and from states', () => {
  const colours = after("R U F2 D'");
  assert.deepEqual(cube.readStickers(cube.faceletsOf(colours)), colours);
  assert.deepEqual(cube.readStickers(cube.faceletsOf(colours).replace(/ /g, '')), colours);
  assert.deepEqual(cube.readStickers(cube.stateOf(colours)), colours);
  for (const wrong of ['', 'U'.repeat(53), 'U'.repeat(53) + 'W', '0'.repeat(54), 'u'.repeat(54)]) {
    assert.equal(cube.readStickers(wrong), null);
  }
});

test('facelets are those that the engine prints', () => {
  assert.equal(cube.faceletsOf(cube.solvedColours()), 'UUUUUUUUU RRRRRRRRR FFFFFFFFF DDDDDDDDD LLLLLLLLL BBBBBBBBB');
  assert.equal(cube.faceletsOf(after('U')), 'UUUUUUUUU BBBRRRRRR RRRFFFFFF DDDDDDDDD FFFLLLLLL LLLBBBBBB');
});

test('the turn between two cubes is found, and none where there is none', () => {
  const start = after("R U F2 D'");
  for (let face = 0; face < 6; ++face) {
    for (const quarters of [1, 2, 3] as const) {
      assert.deepEqual(cube.turnBetween(start, cube.turned(start, {face, quarters})), {face, quarters});
    }
  }
  assert.equal(cube.turnBetween(start, start), null);
  assert.equal(cube.turnBetween(start, cube.solvedColours()), null);
});

test('rows and columns name cells', () => {
  for (let cell = 0; cell < cube.cellCount; ++cell) {
    assert.equal(cube.cellAt(Math.floor(cell / 9), cube.rowOf(cell), cube.columnOf(cell)), cell);
  }
  assert.deepEqual(cube.colourCounts(after('R U')), [9, 9, 9, 9, 9, 9]);
});
