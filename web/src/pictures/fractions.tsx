// Fractions as strips below each other, each whole divided into its parts, so that their sizes can be compared.

import {pictures} from '../i18n/pictures';
import {useText} from '../state/settings';
import {shapeFractions, type FractionShape, type FractionTerm} from './fractions_model';

const width = 120;
const height = 26;

export function Fractions({terms}: {terms: readonly FractionTerm[]}) {
  const text = useText(pictures);
  const shapes = shapeFractions(terms);
  if (shapes === null) return null;
  const inWords = shapes.map((shape) => {
    const {numerator, denominator} = shape;
    const amount =
      denominator === '1' ? text('fraction_whole', {count: numerator}) : text('fraction', {numerator, denominator});
    const key = operatorKeys[shape.operator];
    return key === undefined ? amount : `${text(key)} ${amount}`;
  });
  return (
    <div class="fractions" role="img" aria-label={text('fractions', {terms: inWords.join(', ')})}>
      {shapes.map((shape, index) => (
        <div class="fraction-row" key={index}>
          <span class="fraction-operator">{signs[shape.operator] ?? shape.operator}</span>
          <span class="fraction-name">
            {shape.denominator === '1' ? (
              shape.numerator
            ) : (
              <>
                <span>{shape.numerator}</span>
                <span class="fraction-below">{shape.denominator}</span>
              </>
            )}
          </span>
          <FractionStrips shape={shape} />
        </div>
      ))}
    </div>
  );
}

function FractionStrips({shape}: {shape: FractionShape}) {
  const {strips, parts, isNegative} = shape;
  return (
    <span class="fraction-strips">
      {strips.map(({filled}, index) => (
        <svg class={isNegative ? 'strip negative' : 'strip'} viewBox={`0 0 ${width} ${height}`} key={index}>
          <rect class="strip-whole" x="0.75" y="0.75" width={width - 1.5} height={height - 1.5} rx="4" />
          {filled > 0 && (
            <rect
              class="strip-filled"
              x="0.75"
              y="0.75"
              width={Math.max(filled * width - 1.5, 0.5)}
              height={height - 1.5}
              rx="4"
            />
          )}
          {Array.from({length: parts - 1}, (_, part) => (
            <line
              class="strip-line"
              key={part}
              x1={((part + 1) * width) / parts}
              x2={((part + 1) * width) / parts}
              y1="1"
              y2={height - 1}
            />
          ))}
        </svg>
      ))}
    </span>
  );
}

const signs: Record<string, string> = {'-': '−', '*': '·', '/': ':'};
const operatorKeys: Record<
  string,
  'operator_plus' | 'operator_minus' | 'operator_times' | 'operator_divided' | 'operator_equals'
> = {
  '+': 'operator_plus',
  '-': 'operator_minus',
  '−': 'operator_minus',
  '*': 'operator_times',
  '·': 'operator_times',
  '/': 'operator_divided',
  ':': 'operator_divided',
  '=': 'operator_equals',
};
