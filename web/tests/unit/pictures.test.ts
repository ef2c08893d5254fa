import assert from 'node:assert/strict';
import {test} from 'node:test';
import {followBars, shapeBars, swappedPlace} from '../../src/pictures/bars_model';
import {netCell, netPlace} from '../../src/pictures/cube_net';
import {shapeFractions} from '../../src/pictures/fractions_model';

const noName = (): number => assert.fail('no bar is new');

test('bars keep their names when neighbours change places', () => {
  assert.deepEqual(followBars([3, 1, 2], [10, 11, 12], [1, 3, 2], noName), [11, 10, 12]);
  assert.deepEqual(followBars([3, 1, 2], [10, 11, 12], [3, 2, 1], noName), [10, 12, 11]);
  assert.deepEqual(followBars([2, 1, 1], [10, 11, 12], [1, 2, 1], noName), [11, 10, 12]);
});

test('bars keep their names when the list is turned round, or nothing changes', () => {
  assert.deepEqual(followBars([3, 1, 1, 2], [1, 2, 3, 4], [2, 1, 1, 3], noName), [4, 3, 2, 1]);
  assert.deepEqual(followBars([1, 2, 1], [1, 2, 3], [1, 2, 1], noName), [1, 2, 3]);
  assert.deepEqual(followBars([], [], [], noName), []);
});

test('of another list equal bars keep their names, and no name is given twice', () => {
  let last = 100;
  const names = followBars([5, 5, 7, 1], [1, 2, 3, 4], [1, 5, 9, 5, 5], () => ++last);
  assert.deepEqual(names, [4, 1, 101, 2, 102]);
  assert.equal(new Set(names).size, names.length);
});

test('an exchange of neighbours is recognised, and nothing else', () => {
  assert.equal(swappedPlace([3, 1, 2], [1, 3, 2]), 0);
  assert.equal(swappedPlace([3, 1, 2], [3, 2, 1]), 1);
  assert.equal(swappedPlace([3, 1, 2], [3, 1, 2]), null);
  assert.equal(swappedPlace([3, 1, 2], [2, 1, 3]), null);
  assert.equal(swappedPlace([3, 1], [3, 1, 2]), null);
});

test('bars stand on a common line, and all can be seen', () => {
  assert.deepEqual(shapeBars([2, 1]), [
    {from: 0, to: 1},
    {from: 0, to: 0.5},
  ]);
  assert.deepEqual(shapeBars([3, -1]), [
    {from: 0.25, to: 1},
    {from: 0, to: 0.25},
  ]);
  for (const values of [[0, 0], [0, -5], [-1, -2], [1, 1000], [], [0.5, -0.001]]) {
    for (const {from, to} of shapeBars(values)) assert.ok(from < to && from >= -1e-9 && to <= 1, JSON.stringify(values));
  }
});

test('each cell of the cube has one place in the net', () => {
  const places = new Set<string>();
  for (let cell = 0; cell < 54; ++cell) {
    const {column, row} = netPlace(cell);
    assert.equal(netCell(column, row), cell);
    places.add(`${column} ${row}`);
  }
  assert.equal(places.size, 54);
  for (const [column, row] of [
    [-1, 3],
    [0, 0],
    [12, 4],
    [3, 9],
    [3, -1],
    [6, 0],
  ] as const)
    assert.equal(netCell(column, row), null);
});

test('fractions are wholes with filled parts', () => {
  assert.deepEqual(shapeFractions([{numerator: 3, denominator: 4}])?.[0]?.strips, [{filled: 0.75}]);
  assert.deepEqual(shapeFractions([{numerator: '7', denominator: '4', operator: '+'}])?.[0], {
    numerator: '7',
    denominator: '4',
    operator: '+',
    isNegative: false,
    parts: 4,
    strips: [{filled: 1}, {filled: 0.75}],
  });
  assert.equal(shapeFractions([{numerator: -1, denominator: 2}])?.[0]?.isNegative, true);
  assert.deepEqual(shapeFractions([{numerator: 0, denominator: 5}])?.[0]?.strips, [{filled: 0}]);
  assert.equal(shapeFractions([{numerator: 1, denominator: 1000}])?.[0]?.parts, 1);
});

test('what does not fit into a picture has none', () => {
  const terms = [
    [1, 0],
    [100, 1],
    ['x', 2],
    ['9'.repeat(400), '1'],
    [1, 'y'],
  ] as const;
  for (const [numerator, denominator] of terms) assert.equal(shapeFractions([{numerator, denominator}]), null);
  assert.equal(shapeFractions([]), null);
  assert.equal(
    shapeFractions([
      {numerator: 1, denominator: 2},
      {numerator: 50, denominator: 1},
    ]),
    null,
  );
});
