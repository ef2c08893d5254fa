// A flat puzzle: a square per cell. Colours that are called by the letters of a cube's are these; of up to twelve others each has
// its own; more are tiles, which are told apart by what stands on them.

import {pictures} from '../i18n/pictures';
import {useText} from '../state/settings';

const named: Record<string, string> = {W: '#f7f7f2', Y: '#ffd500', O: '#ff8a1c', R: '#d3202f', B: '#1f5fd0', G: '#17a34a'};
const mostHues = 12;
const isEmpty = (colour: string): boolean => colour === '_' || colour === '.';

interface GridProps {
  rows: readonly (readonly string[])[];
  colours: readonly string[];
  /** Places, counted row by row, that the last step changed. */
  moved?: readonly number[] | undefined;
}

export function Grid({rows, colours, moved = []}: GridProps) {
  const text = useText(pictures);
  const columns = rows[0]?.length ?? 0;
  const shown = colours.filter((colour) => !isEmpty(colour));
  const areNamed = shown.every((colour) => colour in named);
  const paint = (colour: string): string | undefined => {
    if (areNamed) return named[colour];
    if (shown.length > mostHues) return undefined;
    return `oklch(0.82 0.11 ${(360 * shown.indexOf(colour)) / shown.length})`;
  };
  const label = rows.map((row) => row.filter((colour) => colour !== '').join(' ')).join(', ');
  return (
    <div class="grid-picture" role="img" aria-label={text('grid', {rows: label})} style={{'--columns': columns}}>
      {rows.flat().map((colour, place) =>
        colour === '' ? (
          <span key={place} />
        ) : (
          <span
            key={place}
            class={`grid-cell${isEmpty(colour) ? ' empty' : ''}${moved.includes(place) ? ' moved' : ''}`}
            style={isEmpty(colour) ? {} : {background: paint(colour)}}
          >
            {areNamed || isEmpty(colour) ? '' : colour}
          </span>
        ),
      )}
    </div>
  );
}
