// Where the cells of the cube lie when it is unfolded.

import {cellAt, columnOf, rowOf} from './cube_model';

// Where the faces lie in the net: up above, then left, front, right and back side by side, down below.
const netPlaces: readonly {column: number; row: number}[] = [
  {column: 1, row: 0},
  {column: 1, row: 2},
  {column: 0, row: 1},
  {column: 2, row: 1},
  {column: 3, row: 1},
  {column: 1, row: 1},
];

/** Where a cell lies among the twelve columns and nine rows of the net. */
export function netPlace(cell: number): {column: number; row: number} {
  const {column, row} = netPlaces[Math.floor(cell / 9)] ?? {column: 0, row: 0};
  return {column: 3 * column + columnOf(cell), row: 3 * row + rowOf(cell)};
}

/** The cell at a place of the net, if one is there. */
export function netCell(column: number, row: number): number | null {
  const face = netPlaces.findIndex((place) => place.column === Math.floor(column / 3) && place.row === Math.floor(row / 3));
  return face < 0 || column < 0 || row < 0 ? null : cellAt(face, row % 3, column % 3);
}
