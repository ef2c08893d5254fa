import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isRunning, type Point} from '../../src/runs/api';
import {curvesOf, roundedUp, size} from '../../src/runs/curve_model';

test('the top of a plane is a round number', () => {
  assert.deepEqual([0.031, 0.2, 0.21, 7, 100, 101].map(roundedUp).map((value) => Number(value.toPrecision(3))), [0.05, 0.2, 0.5, 10, 100, 200]);
  assert.equal(roundedUp(0), 1);
  assert.equal(roundedUp(-Infinity), 1); // of no values
});

test('curves begin at the left and keep to the plane; what has no value is left out', () => {
  const points: Point[] = [
    {step: 500, seconds: 1, loss: null, validation_success: 0},
    {step: 1000, seconds: 4, loss: 0.3, validation_success: 0.5, 'validation_success/sorting': 1},
  ];
  const {lines, endX, top} = curvesOf(points, ['validation_success', 'validation_success/sorting', 'validation_success/other'], 'step', 1);
  assert.equal(endX, 1000);
  assert.equal(top, 1);
  assert.deepEqual(lines.map(({name}) => name), ['validation_success', 'validation_success/sorting']);
  assert.deepEqual(lines[0]?.points, [{x: size.width / 2, y: size.height}, {x: size.width, y: size.height / 2}]);
  assert.deepEqual([lines[0]?.first, lines[0]?.last], [0, 0.5]);
  const loss = curvesOf(points, ['loss'], 'seconds');
  assert.equal(loss.top, 0.5);
  assert.equal(loss.endX, 4);
  assert.equal(loss.lines[0]?.points.length, 1);
  assert.deepEqual(curvesOf([], ['loss'], 'step').lines, []);
});

test('a run that has been silent for long does not run', () => {
  assert.equal(isRunning(3, true), true);
  assert.equal(isRunning(3, false), false);
  assert.equal(isRunning(500, true), false);
  assert.equal(isRunning(3, undefined), false);
});
