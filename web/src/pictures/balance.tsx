// A linear equation as a balance: boxes with the unknown and ones on two pans that hang at the same height. It is folded up until
// somebody wants it, and stays open then.

import {pictures} from '../i18n/pictures';
import {useText} from '../state/settings';
import {recall, remember} from '../state/storage';

export interface Pan {
  unknowns: number;
  ones: number;
}

const panWidth = 180;
const width = 400;
const item = 24; // the side of what lies on a pan
const inRow = 7;
const key = 'balance.open';

export function Balance({unknown, left, right}: {unknown: string; left: Pan; right: Pan}) {
  const text = useText(pictures);
  const inWords = ({unknowns, ones}: Pan): string => text('balance_pan', {unknowns, unknown, ones});
  const rows = Math.max(1, Math.ceil(Math.max(left.unknowns + left.ones, right.unknowns + right.ones) / inRow));
  const bottom = rows * item + 4;
  const places = [width / 4, (3 * width) / 4];
  return (
    <details
      class="balance"
      open={recall(key, (stored) => (stored === true ? true : undefined)) ?? false}
      onToggle={(event) => remember(key, event.currentTarget.open)}
    >
      <summary>{text('balance_show')}</summary>
      <svg viewBox={`0 0 ${width} ${bottom + 42}`} role="img" aria-label={text('balance', {left: inWords(left), right: inWords(right)})}>
        {[left, right].map((pan, side) => (
          <Load key={side} pan={pan} unknown={unknown} middle={places[side] ?? 0} bottom={bottom} />
        ))}
        <path class="balance-frame" d={`M${width / 4} ${bottom} v16 h${width / 2} v-16`} />
        <path class="balance-foot" d={`M${width / 2} ${bottom + 16} l14 24 h-28 z`} />
      </svg>
    </details>
  );
}

function Load({pan, unknown, middle, bottom}: {pan: Pan; unknown: string; middle: number; bottom: number}) {
  const count = pan.unknowns + pan.ones;
  return (
    <>
      <path class="balance-frame" d={`M${middle - panWidth / 2} ${bottom} h${panWidth}`} />
      {Array.from({length: count}, (_, index) => {
        const row = Math.floor(index / inRow);
        const x = middle + ((index % inRow) - (Math.min(inRow, count - row * inRow) - 1) / 2) * item;
        const y = bottom - (row + 0.5) * item;
        const isUnknown = index < pan.unknowns;
        return (
          <g key={index}>
            {isUnknown ? <rect class="balance-unknown" x={x - 10} y={y - 10} width="20" height="20" rx="3" /> : <circle class="balance-one" cx={x} cy={y} r="10" />}
            <text class={isUnknown ? 'balance-letter' : undefined} x={x} y={y + 4}>
              {isUnknown ? unknown : '1'}
            </text>
          </g>
        );
      })}
    </>
  );
}
