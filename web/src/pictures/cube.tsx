// The cube as a body that turns, or unfolded. It shows what it is given; when that is one turn away from what it showed before,
// the layer is seen to turn.

import type {ComponentChildren} from 'preact';
import {useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {pictures} from '../i18n/pictures';
import {useText} from '../state/settings';
import {
  cellAt,
  faceLetters,
  isSolved,
  movesWith,
  readStickers,
  stickerOf,
  turnBetween,
  turnOfLabel,
  type Colours,
  type Turn,
  type Vector,
} from './cube_model';
import {isMotionReduced, turnMilliseconds} from './motion';

interface Cubie {
  position: Vector;
  /** The cell that is seen on each face of the piece, or none. */
  cells: (number | null)[];
}

function makeCubies(): Cubie[] {
  const cubies = new Map<string, Cubie>();
  for (let cell = 0; cell < 54; ++cell) {
    const {position} = stickerOf(cell);
    const key = position.join();
    const cubie = cubies.get(key) ?? {position, cells: [null, null, null, null, null, null]};
    cubie.cells[Math.floor(cell / 9)] = cell;
    cubies.set(key, cubie);
  }
  return [...cubies.values()];
}

const cubies = makeCubies();

// Lengths are in the size of a piece, --piece. In CSS, y goes down.
function placed([x, y, z]: Vector, rotation = ''): string {
  const length = (times: number): string => `calc(${times} * var(--piece))`;
  return `${rotation} translate3d(${length(x)}, ${length(-y)}, ${length(z)})`;
}

// The rotation that a clockwise quarter turn of each face is.
const turnAxes: readonly (readonly [string, number])[] = [
  ['Y', -90],
  ['Y', 90],
  ['X', -90],
  ['X', 90],
  ['Z', -90],
  ['Z', 90],
];

function useTurning(colours: Colours) {
  const elements = useRef<(HTMLElement | null)[]>([]);
  const shown = useRef(colours);
  useLayoutEffect(() => {
    const turn = turnBetween(shown.current, colours);
    shown.current = colours;
    if (turn !== null && !isMotionReduced()) animateTurn(elements.current, turn);
  }, [colours]);
  return (index: number) => (element: HTMLElement | null) => {
    elements.current[index] = element;
  };
}

// The new colours are already there: the layer starts a turn back.
function animateTurn(elements: readonly (HTMLElement | null)[], {face, quarters}: Turn): void {
  const [axis, degrees] = turnAxes[face] ?? ['Y', 90];
  const start = -degrees * (quarters === 3 ? -1 : quarters);
  cubies.forEach(({position}, index) => {
    if (!movesWith(face, position)) return;
    const at = (angle: number) => ({transform: placed(position, `rotate${axis}(${angle}deg)`)});
    elements[index]?.animate([at(start), at(0)], {
      duration: turnMilliseconds * (quarters === 2 ? 1.5 : 1),
      easing: 'ease-in-out',
    });
  });
}

const fromFront = {x: -28, y: -34};
const fromBehind = {x: 28, y: 146};

/** The cube in space. It can be dragged round. */
export function SolidCube({colours, label}: {colours: Colours; label: string}) {
  const text = useText(pictures);
  const [view, setView] = useState(fromFront);
  const piece = useTurning(colours);
  const drag = useRef<{x: number; y: number} | null>(null);
  const isBehind = Math.cos(((view.y - fromFront.y) * Math.PI) / 180) < 0;
  return (
    <div class="cube-solid">
      <div
        class="cube-scene"
        role="img"
        aria-label={label}
        onPointerDown={(event) => {
          drag.current = {x: event.clientX, y: event.clientY};
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          if (drag.current === null) return;
          const {clientX: x, clientY: y} = event;
          const [right, down] = [x - drag.current.x, y - drag.current.y];
          drag.current = {x, y};
          setView((old) => ({x: Math.max(-90, Math.min(90, old.x - down / 2)), y: old.y + right / 2}));
        }}
        onPointerUp={() => (drag.current = null)}
        onPointerCancel={() => (drag.current = null)}
      >
        <div
          class={drag.current === null ? 'cube-body' : 'cube-body dragged'}
          style={{transform: `rotateX(${view.x}deg) rotateY(${view.y}deg)`}}
        >
          {cubies.map(({position, cells}, index) => (
            <div class="cubie" key={index} ref={piece(index)} style={{transform: placed(position)}}>
              {cells.map((cell, face) => (
                <div class={`cubie-face on-${faceLetters[face]}`} key={face}>
                  {cell !== null && <span class={`sticker colour-${colours[cell]}`} />}
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
      <button type="button" class="quiet" onClick={() => setView(isBehind ? fromFront : fromBehind)}>
        {text(isBehind ? 'view_front' : 'view_behind')}
      </button>
    </div>
  );
}

/** The unfolded cube. `sticker` draws what is in a cell. */
export function CubeNet({sticker}: {sticker: (cell: number) => ComponentChildren}) {
  return (
    <div class="cube-net">
      {faceOrder.map((face) => (
        <div class={`net-face net-${faceLetters[face]}`} key={face}>
          {[0, 1, 2].map((row) => [0, 1, 2].map((column) => sticker(cellAt(face, row, column))))}
        </div>
      ))}
    </div>
  );
}

// As one reads the net.
const faceOrder = [0, 2, 5, 3, 4, 1];

export function useCubeText(colours: Colours): {summary: string; faces: string[]} {
  const text = useText(pictures);
  return useMemo(() => {
    const count = colours.filter((colour, cell) => colour === Math.floor(cell / 9)).length;
    const faces = faceOrder.map((face) => {
      const cells = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => colours[cellAt(face, row, column)] ?? 0));
      return text('cube_face', {face: text(faceKey(face)), colours: cells.map((colour) => text(colourKey(colour))).join(' ')});
    });
    return {summary: isSolved(colours) ? text('cube_solved') : text('cube', {count}), faces};
  }, [colours, text]);
}

export function faceKey(face: number) {
  return `face_${face}` as 'face_0';
}

export function colourKey(colour: number) {
  return `colour_${colour}` as 'colour_0';
}

/** The cube in either view, with a switch between them. Nothing for stickers that cannot be read. */
export function Cube<Step extends CubeStep>({stickers, steps = [], onStep}: CubeProps<Step>) {
  const colours = useMemo(() => readStickers(stickers), [stickers]);
  if (colours === null) return null;
  return (
    <div class="cube">
      <CubeViews colours={colours} />
      {onStep !== undefined && <StepButtons steps={steps} onStep={onStep} />}
    </div>
  );
}

/** A turn that the domain offers, as its label: R1, R-1. */
interface CubeStep {
  axiom: string;
  text: string;
}

interface CubeProps<Step extends CubeStep> {
  stickers: string;
  steps?: readonly Step[] | undefined;
  onStep?: ((step: Step) => void) | undefined;
}

function StepButtons<Step extends CubeStep>({steps, onStep}: {steps: readonly Step[]; onStep: (step: Step) => void}) {
  const text = useText(pictures);
  const turns = [...'UDLRFB'].flatMap((face) => [`${face}1`, `${face}-1`]);
  return (
    <div class="turn-buttons" role="group" aria-label={text('cube_turn_buttons')}>
      {turns.map((label) => {
        const step = steps.find(({axiom}) => axiom === label);
        const name = turnOfLabel(label);
        return (
          <button
            type="button"
            key={label}
            aria-label={step === undefined ? name : step.text}
            disabled={step === undefined}
            onClick={() => step !== undefined && onStep(step)}
          >
            {name}
          </button>
        );
      })}
    </div>
  );
}

/** The unfolded cube alone. */
export function FlatCube({stickers}: {stickers: string}) {
  const colours = useMemo(() => readStickers(stickers), [stickers]);
  return colours === null ? null : <UnfoldedCube colours={colours} />;
}

function UnfoldedCube({colours}: {colours: Colours}) {
  const {summary, faces} = useCubeText(colours);
  return (
    <div class="cube" role="img" aria-label={`${summary} ${faces.join('. ')}`}>
      <CubeNet
        sticker={(cell) => (
          <span class={`sticker colour-${colours[cell]}`} key={cell}>
            {faceLetters[colours[cell] ?? 0]}
          </span>
        )}
      />
    </div>
  );
}

function CubeViews({colours}: {colours: Colours}) {
  const text = useText(pictures);
  const [isSolid, setSolid] = useState(true);
  const {summary} = useCubeText(colours);
  return (
    <>
      <div class="segments" role="group" aria-label={text('view_of_cube')}>
        <button type="button" aria-pressed={isSolid} onClick={() => setSolid(true)}>
          {text('view_solid')}
        </button>
        <button type="button" aria-pressed={!isSolid} onClick={() => setSolid(false)}>
          {text('view_net')}
        </button>
      </div>
      {isSolid ? <SolidCube colours={colours} label={summary} /> : <UnfoldedCube colours={colours} />}
    </>
  );
}
