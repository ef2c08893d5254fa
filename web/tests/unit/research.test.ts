import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fittingLabels, moved, nearestIn, plane, showing, spotsOf, wholePlane, zoomed} from '../../src/research/scatter';
import {layoutTree, pathTo, walkTree} from '../../src/research/tree_layout';
import type {TreeNode} from '../../src/engine/wire';
import {bitsOf, percentOf} from '../../src/research/numbers';

function node(id: number, parent: number | null, score: number, kind: 'solution' | 'chosen' | 'rejected'): TreeNode {
  return {
    id,
    parent,
    depth: 0,
    state: String(id),
    notation: String(id),
    label: null,
    text: null,
    score,
    probability: 0,
    chosen: kind !== 'rejected',
    on_solution: kind === 'solution',
  };
}

const nodes = [
  node(0, null, 0, 'solution'),
  node(1, 0, -5, 'rejected'),
  node(2, 0, -1, 'chosen'),
  node(3, 0, -2, 'solution'),
  node(4, 0, -3, 'rejected'),
  node(5, 2, -4, 'rejected'),
  node(6, 3, -1, 'solution'),
];

test('a tree has a row per leaf, the solution above, rejected states below by score', () => {
  const {nodes: placed, columns, rows, hidden} = layoutTree(nodes, Infinity);
  assert.deepEqual([columns, rows, hidden], [3, 4, 0]);
  const rowsById = Object.fromEntries(placed.map((one) => [one.node.id, one.row]));
  assert.deepEqual(rowsById, {0: 0, 3: 0, 6: 0, 2: 1, 5: 1, 4: 2, 1: 3});
  assert.deepEqual(placed.map(({column}) => column).sort(), [0, 1, 1, 1, 1, 2, 2]);
});

test('rejected states can be left out, and are counted', () => {
  assert.deepEqual(
    layoutTree(nodes, 0)
      .nodes.map((one) => one.node.id)
      .sort(),
    [0, 2, 3, 6],
  );
  assert.equal(layoutTree(nodes, 0).hidden, 3);
  assert.deepEqual(
    layoutTree(nodes, 1)
      .nodes.map((one) => one.node.id)
      .sort(),
    [0, 2, 3, 4, 5, 6],
  );
});

test('nodes without their parent, and no nodes at all, have a layout', () => {
  assert.equal(layoutTree([node(0, null, 0, 'chosen'), node(9, 5, 0, 'chosen')], 1).nodes.length, 2);
  assert.deepEqual(layoutTree([], 1).nodes, []);
});

test('no two nodes lie on each other', () => {
  const many = [node(0, null, 0, 'chosen')];
  for (let id = 1; id < 2000; ++id)
    many.push(node(id, Math.floor((id * 7919) % id), -id % 17, id % 5 === 0 ? 'chosen' : 'rejected'));
  const layout = layoutTree(many, Infinity);
  assert.equal(layout.nodes.length, 2000);
  assert.equal(new Set(layout.nodes.map(({column, row}) => `${column} ${row}`)).size, 2000);
});

test('arrow keys walk the tree', () => {
  const layout = layoutTree(nodes, Infinity);
  const at = (id: number) => layout.nodes.find((one) => one.node.id === id) ?? assert.fail();
  assert.equal(walkTree(layout, at(0), 'right').node.id, 3);
  assert.equal(walkTree(layout, at(3), 'down').node.id, 2);
  assert.equal(walkTree(layout, at(2), 'up').node.id, 3);
  assert.equal(walkTree(layout, at(5), 'up').node.id, 6, 'also to cousins');
  assert.equal(walkTree(layout, at(5), 'left').node.id, 2);
  assert.equal(walkTree(layout, at(0), 'left').node.id, 0);
  assert.equal(walkTree(layout, at(3), 'up').node.id, 3);
  assert.deepEqual(
    pathTo(at(5)).map((one) => one.node.id),
    [0, 2, 5],
  );
});

test('points fill the plane with one scale for both axes', () => {
  const spots = spotsOf([
    {x: -1, y: 0},
    {x: 1, y: 0},
    {x: 0, y: 0.5},
  ]);
  assert.ok(spots.every(({x, y}) => x >= 0 && x <= plane.width && y >= 0 && y <= plane.height));
  const [a, b, c] = spots as [{x: number; y: number}, {x: number; y: number}, {x: number; y: number}];
  assert.ok(Math.abs((b.x - a.x) / 2 - (a.y - c.y) / 0.5) < 1e-9);
  assert.ok(c.y < a.y, 'y goes up');
  for (const same of [
    [],
    [{x: 3, y: 3}],
    [
      {x: 3, y: 3},
      {x: 3, y: 3},
    ],
  ]) {
    for (const {x, y} of spotsOf(same)) assert.deepEqual([x, y], [plane.width / 2, plane.height / 2]);
  }
});

test('zooming keeps a spot in place and stays on the plane', () => {
  const about = {x: 200, y: 100};
  const near = zoomed(wholePlane, 2, about);
  assert.deepEqual([near.width, near.height], [plane.width / 2, plane.height / 2]);
  assert.ok(Math.abs((about.x - near.left) / near.width - about.x / plane.width) < 1e-9);
  assert.deepEqual(zoomed(near, 0.1, about), wholePlane);
  let frame = wholePlane;
  for (let i = 0; i < 50; ++i) frame = moved(zoomed(frame, 1.5, {x: 799, y: 1}), 1000, -1000);
  assert.ok(frame.width > 1 && frame.left + frame.width <= plane.width + 1e-9 && frame.top >= 0);
  const shown = showing(frame, {x: 10, y: 500});
  assert.ok(shown.left <= 10 && shown.top + shown.height >= 500);
});

test('labels that fit do not overlap', () => {
  const spots = [
    {x: 100, y: 100},
    {x: 110, y: 102},
    {x: 100, y: 130},
    {x: 790, y: 100},
  ];
  assert.deepEqual([...fittingLabels(spots, [10, 10, 10, 10], wholePlane, 1)], [0, 2]);
  assert.deepEqual(
    [...fittingLabels(spots, [10, 10, 10, 10], wholePlane, 0.01)],
    [0, 1, 2, 3],
    'all do if seen from near enough',
  );
});

test('arrow keys walk the map', () => {
  const spots = [
    {x: 0, y: 0},
    {x: 10, y: 1},
    {x: 5, y: 20},
    {x: -3, y: 0},
  ];
  assert.equal(nearestIn(spots, 0, 'right'), 1);
  assert.equal(nearestIn(spots, 0, 'left'), 3);
  assert.equal(nearestIn(spots, 0, 'down'), 2);
  assert.equal(nearestIn(spots, 0, 'up'), 0);
  assert.equal(nearestIn([], 0, 'up'), 0);
});

test('probabilities and uncertainty are told in figures that mean something', () => {
  assert.deepEqual(
    [1, 0.9998, 0.5, 0.0123, 0.00012, 1e-9, 0].map((p) => percentOf(p, 'en')),
    ['100%', '99.98%', '50%', '1.23%', '0.012%', '<0.001%', '0%'],
  );
  assert.equal(percentOf(0.0123, 'de').replace(/\s/g, ' '), '1,23 %');
  assert.equal(bitsOf([0.5, 0.5]), 1);
  assert.equal(bitsOf([1, 0]), 0);
});
