// A cube to be entered: stickers painted one by one on the unfolded cube, or turns made by buttons or by writing them. Turns are
// seen on the solid cube. What is entered goes to the owner as facelets, which the engine reads and judges.

import {useRef, useState} from 'preact/hooks';
import {pictures} from '../i18n/pictures';
import {useAnnounce} from '../parts/announcer';
import {useText} from '../state/settings';
import {CubeNet, SolidCube, colourKey, faceKey, useCubeText} from './cube';
import {
  colourCounts,
  colourLetters,
  columnOf,
  faceletsOf,
  faceLetters,
  readTurns,
  rowOf,
  solvedColours,
  turned,
  writeTurn,
  type Colours,
  type Turn,
} from './cube_model';
import {netCell, netPlace} from './cube_net';
import {isMotionReduced, turnMilliseconds} from './motion';

export interface CubeEntryProps {
  initial?: Colours | undefined;
  /** Called with the facelets of every cube that has nine of each colour, and with null for one that has not. */
  onChange?: ((facelets: string | null) => void) | undefined;
}

export function CubeEntry({initial, onChange}: CubeEntryProps) {
  const text = useText(pictures);
  const [colours, setColours] = useState<Colours>(() => initial ?? solvedColours());
  const say = useAnnounce();
  const {summary} = useCubeText(colours);
  const current = useRef(colours);
  const counts = colourCounts(colours);
  const isComplete = counts.every((count) => count === 9);

  const show = (next: Colours): void => {
    current.current = next;
    setColours(next);
    onChange?.(colourCounts(next).every((count) => count === 9) ? faceletsOf(next) : null);
  };
  const turn = (turns: readonly Turn[]): void => {
    if (turns.length === 0) return;
    say(text('cube_turned', {turns: turns.map(writeTurn).join(' ')}));
    // One after another, so that each is seen.
    const [first, ...rest] = turns;
    if (isMotionReduced() || first === undefined) return show(turns.reduce(turned, current.current));
    show(turned(current.current, first));
    rest.forEach((next, index) => setTimeout(() => show(turned(current.current, next)), (index + 1) * (turnMilliseconds + 40)));
  };

  const wrong = counts.flatMap((count, colour) =>
    count === 9 ? [] : [text('cube_count', {colour: text(colourKey(colour)), count})],
  );
  return (
    <div class="cube-entry">
      <div class="cube-entry-solid">
        <SolidCube colours={colours} label={summary} />
        <TurnButtons onTurn={turn} />
        <TurnsField onTurns={turn} />
        <button type="button" class="quiet" onClick={() => show(solvedColours())}>
          {text('cube_reset')}
        </button>
      </div>
      <div class="cube-entry-net">
        <Painter colours={colours} onPaint={show} />
        <p class={isComplete ? 'cube-counts' : 'cube-counts wrong'} role="status">
          {isComplete ? text('cube_counts_right') : text('cube_counts_wrong', {list: wrong.join(', ')})}
        </p>
      </div>
    </div>
  );
}

function TurnButtons({onTurn}: {onTurn: (turns: Turn[]) => void}) {
  const text = useText(pictures);
  return (
    <div class="turn-buttons" role="group" aria-label={text('cube_turn_buttons')}>
      {[0, 1, 2, 3, 5, 4].flatMap((face) =>
        ([1, 3] as const).map((quarters) => {
          const key = quarters === 1 ? 'cube_turn_clockwise' : 'cube_turn_counter';
          const name = writeTurn({face, quarters});
          return (
            <button
              type="button"
              key={name}
              aria-label={`${name}, ${text(key, {face: text(faceKey(face))})}`}
              onClick={() => onTurn([{face, quarters}])}
            >
              {name}
            </button>
          );
        }),
      )}
    </div>
  );
}

function TurnsField({onTurns}: {onTurns: (turns: Turn[]) => void}) {
  const text = useText(pictures);
  const [written, setWritten] = useState('');
  const [fault, setFault] = useState<number | null>(null);
  const make = (event: Event): void => {
    event.preventDefault();
    const result = readTurns(written);
    setFault(result.ok ? null : result.position + 1);
    if (!result.ok) return;
    onTurns(result.turns);
    setWritten('');
  };
  return (
    <form class="turns-field" onSubmit={make}>
      <label>
        <span>{text('cube_turns')}</span>
        <input
          type="text"
          value={written}
          maxLength={1000}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          aria-describedby="cube-turns-help"
          aria-invalid={fault !== null}
          onInput={(event) => setWritten(event.currentTarget.value)}
        />
      </label>
      <button type="submit">{text('cube_turns_make')}</button>
      <p id="cube-turns-help" class={fault === null ? 'picture-help' : 'picture-help wrong'} role="status">
        {fault === null ? text('cube_turns_help') : text('cube_turns_wrong', {position: fault})}
      </p>
    </form>
  );
}

function Painter({colours, onPaint}: {colours: Colours; onPaint: (colours: Colours) => void}) {
  const text = useText(pictures);
  const [colour, setColour] = useState(0);
  const [at, setAt] = useState(4);
  const net = useRef<HTMLDivElement>(null);

  const paint = (cell: number, with_: number): void => {
    const painted = [...colours];
    painted[cell] = with_;
    onPaint(painted);
  };
  const move = (across: number, down: number): void => {
    const place = netPlace(at);
    const to = netCell(place.column + across, place.row + down);
    if (to === null) return;
    setAt(to);
    net.current?.querySelector<HTMLElement>(`[data-cell="${to}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const letter = event.key.length === 1 ? event.key.toUpperCase() : '';
    const painted = letter === '' ? -1 : Math.max(colourLetters.indexOf(letter), '123456'.indexOf(letter));
    if (event.key === 'ArrowLeft') move(-1, 0);
    else if (event.key === 'ArrowRight') move(1, 0);
    else if (event.key === 'ArrowUp') move(0, -1);
    else if (event.key === 'ArrowDown') move(0, 1);
    else if (painted >= 0) paint(at, painted);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <fieldset class="cube-palette">
        <legend>{text('cube_palette')}</legend>
        {[0, 1, 2, 3, 4, 5].map((choice) => (
          <label key={choice}>
            <input type="radio" name="cube-colour" checked={choice === colour} onChange={() => setColour(choice)} />
            <span class={`sticker colour-${choice}`} aria-hidden="true">
              {faceLetters[choice]}
            </span>
            <span class="visually-hidden">{text(colourKey(choice))}</span>
          </label>
        ))}
      </fieldset>
      <div ref={net} role="group" aria-label={text('cube_stickers')} onKeyDown={onKeyDown}>
        <CubeNet
          sticker={(cell) => (
            <button
              type="button"
              key={cell}
              data-cell={cell}
              class={`sticker colour-${colours[cell]}`}
              tabIndex={cell === at ? 0 : -1}
              aria-label={text('cube_painted', {
                face: text(faceKey(Math.floor(cell / 9))),
                row: rowOf(cell) + 1,
                column: columnOf(cell) + 1,
                colour: text(colourKey(colours[cell] ?? 0)),
              })}
              onFocus={() => setAt(cell)}
              onClick={() => paint(cell, colour)}
            >
              {faceLetters[colours[cell] ?? 0]}
            </button>
          )}
        />
      </div>
      <p class="picture-help">{text('cube_net_help')}</p>
    </>
  );
}
