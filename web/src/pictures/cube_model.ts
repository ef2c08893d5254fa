// The cube as a body in space: which cells there are, what turns do, and turns as people write them. Cells are numbered as the
// engine's states number them: nine per face, faces in the order up, down, left, right, back, front; a face's cells go column by
// column from the left, each from its lower end up. Colours are the numbers of the faces that have them on a solved cube.

export type Vector = readonly [number, number, number];

export const faceLetters = 'UDLRBF';
export const colourLetters = 'WYORBG';
export const cellCount = 54;

export interface Sticker {
  /** Where its piece is: x to the right, y up, z to the front, each -1 to 1. */
  position: Vector;
  normal: Vector;
}

const normals: readonly Vector[] = [
  [0, 1, 0],
  [0, -1, 0],
  [-1, 0, 0],
  [1, 0, 0],
  [0, 0, -1],
  [0, 0, 1],
];

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function normalOf(face: number): Vector {
  return normals[face] ?? [0, 1, 0];
}

// A quarter turn about an axis, clockwise as seen from where it points to.
function rotated(v: Vector, axis: Vector): Vector {
  const turned = cross(v, axis);
  const along = dot(v, axis);
  return [turned[0] + along * axis[0], turned[1] + along * axis[1], turned[2] + along * axis[2]];
}

export function stickerOf(cell: number): Sticker {
  const face = Math.floor(cell / 9);
  const normal = normalOf(face);
  const upward: Vector = face === 0 ? [0, 0, -1] : face === 1 ? [0, 0, 1] : [0, 1, 0];
  const rightward = cross(upward, normal);
  const across = Math.floor((cell % 9) / 3) - 1;
  const up = (cell % 3) - 1;
  const at = (k: 0 | 1 | 2): number => normal[k] + across * rightward[k] + up * upward[k];
  return {position: [at(0), at(1), at(2)], normal};
}

/** The cell of a face's row and column, as one looks at the face. */
export function cellAt(face: number, row: number, column: number): number {
  return 9 * face + 3 * column + (2 - row);
}

export function rowOf(cell: number): number {
  return 2 - (cell % 3);
}

export function columnOf(cell: number): number {
  return Math.floor((cell % 9) / 3);
}

const stickers: readonly Sticker[] = Array.from({length: cellCount}, (_, cell) => stickerOf(cell));

function same(a: Vector, b: Vector): boolean {
  return a[0] === b[0] && a[1] === b[1] && a[2] === b[2];
}

/** Whether a piece moves when a face turns. */
export function movesWith(face: number, position: Vector): boolean {
  return dot(position, normalOf(face)) === 1;
}

// For each face, where a clockwise quarter turn takes each cell.
const quarterTurns: readonly (readonly number[])[] = normals.map((axis, face) =>
  stickers.map((sticker, cell) => {
    if (!movesWith(face, sticker.position)) return cell;
    const position = rotated(sticker.position, axis);
    const normal = rotated(sticker.normal, axis);
    return stickers.findIndex((other) => same(other.position, position) && same(other.normal, normal));
  }),
);

export interface Turn {
  face: number;
  /** Clockwise quarter turns: 1, 2 or 3. */
  quarters: 1 | 2 | 3;
}

export type Colours = readonly number[];

export function solvedColours(): number[] {
  return Array.from({length: cellCount}, (_, cell) => Math.floor(cell / 9));
}

export function turned(colours: Colours, turn: Turn): number[] {
  let result = [...colours];
  for (let quarter = 0; quarter < turn.quarters; ++quarter) {
    const before = result;
    result = [...before];
    quarterTurns[turn.face]?.forEach((to, from) => {
      result[to] = before[from] ?? 0;
    });
  }
  return result;
}

// The order in which people write the faces.
const writtenFaces = 'URFDLB';

/** Colours from 54 facelets as the engine's pictures have them (letters of faces, in the order U R F D L B, each row by row as one
 * looks at it), or from a state of the domain; nothing for any other text. */
export function readStickers(text: string): number[] | null {
  const compact = text.replace(/\s+/g, '');
  const state = /^A([0-5]{9})aB([0-5]{9})bC([0-5]{9})cD([0-5]{9})dE([0-5]{9})eF([0-5]{9})f$/.exec(compact);
  if (state !== null) return [...state.slice(1).join('')].map(Number);
  if (!/^[UDLRBF]{54}$/.test(compact)) return null;
  const colours = solvedColours();
  [...compact].forEach((letter, index) => {
    colours[cellOfFacelet(index)] = faceLetters.indexOf(letter);
  });
  return colours;
}

function cellOfFacelet(facelet: number): number {
  const face = faceLetters.indexOf(writtenFaces[Math.floor(facelet / 9)] ?? 'U');
  return cellAt(face, Math.floor((facelet % 9) / 3), facelet % 3);
}

/** The state of the domain: A000000000aB... */
export function stateOf(colours: Colours): string {
  let state = '';
  for (let face = 0; face < 6; ++face) {
    const letter = 'ABCDEF'[face] ?? '';
    state += letter + colours.slice(9 * face, 9 * face + 9).join('') + letter.toLowerCase();
  }
  return state;
}

/** Facelets as people write them: six faces in the order U R F D L B, each row by row. */
export function faceletsOf(colours: Colours): string {
  const letters = Array.from({length: cellCount}, (_, facelet) => faceLetters[colours[cellOfFacelet(facelet)] ?? 0]).join('');
  return letters.match(/.{9}/g)?.join(' ') ?? '';
}

export function isSolved(colours: Colours): boolean {
  return colours.every((colour, cell) => colour === Math.floor(cell / 9));
}

export function writeTurn(turn: Turn): string {
  return (faceLetters[turn.face] ?? '') + (turn.quarters === 2 ? '2' : turn.quarters === 3 ? "'" : '');
}

/** The domain's label of a quarter turn, R1 or R-1, as people write it. */
export function turnOfLabel(label: string): string {
  return label.replace(/-1$/, "'").replace(/1$/, '');
}

export function inverse(turn: Turn): Turn {
  return {face: turn.face, quarters: turn.quarters === 1 ? 3 : turn.quarters === 3 ? 1 : 2};
}

export type TurnsResult = {ok: true; turns: Turn[]} | {ok: false; position: number};

/** Plain turns of faces: R U' F2. Groups, slices and the rest of the notation are left to the engine. */
export function readTurns(text: string): TurnsResult {
  const turns: Turn[] = [];
  const pattern = /\s*([UDLRBF])(2['’′]?|['’′]2?)?/y;
  let at = 0;
  while (text.slice(at).trim() !== '') {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return {ok: false, position: at + (/\S/.exec(text.slice(at))?.index ?? 0)};
    const mark = found[2] ?? '';
    turns.push({face: faceLetters.indexOf(found[1] ?? 'U'), quarters: mark.includes('2') ? 2 : mark === '' ? 1 : 3});
    at = pattern.lastIndex;
  }
  return {ok: true, turns};
}

/** The one turn that leads from some colours to others, if there is one. */
export function turnBetween(from: Colours, to: Colours): Turn | null {
  for (let face = 0; face < 6; ++face) {
    for (const quarters of [1, 3, 2] as const) {
      const result = turned(from, {face, quarters});
      if (result.every((colour, cell) => colour === to[cell])) return {face, quarters};
    }
  }
  return null;
}

/** How often each colour is there; a cube has each nine times. */
export function colourCounts(colours: Colours): number[] {
  const counts = [0, 0, 0, 0, 0, 0];
  for (const colour of colours) counts[colour] = (counts[colour] ?? 0) + 1;
  return counts;
}
