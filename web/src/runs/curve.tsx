// Curves of a run: how much is solved, and the loss. Lines differ in colour and in dashes, and the legend has their last values.

import {runs} from '../i18n/runs';
import {useText} from '../state/settings';
import type {Point} from './api';
import {curvesOf, size} from './curve_model';

interface CurveProps {
  title: string;
  points: readonly Point[];
  names: readonly {name: string; shown: string}[];
  along: 'step' | 'seconds';
  top?: number;
  format: (value: number) => string;
  formatX: (value: number) => string;
}

export function Curve({title, points, names, along, top, format, formatX}: CurveProps) {
  const t = useText(runs);
  const curves = curvesOf(points, names.map(({name}) => name), along, top);
  const shown = (name: string): string => names.find((one) => one.name === name)?.shown ?? name;
  const by = `${formatX(curves.endX)}${along === 'step' ? ` ${t('by_steps')}` : ''}`;
  const described = curves.lines.map(({name, first, last}) => t('curve', {name: shown(name), first: format(first), last: format(last), by}));
  return (
    <figure class="curve">
      <figcaption>{title}</figcaption>
      {curves.lines.length === 0 ? (
        <p class="fine">{t('no_points')}</p>
      ) : (
        <>
          <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" role="img" aria-label={`${title}. ${described.join('. ')}`}>
            {curves.lines.map((line, index) => (
              <polyline key={line.name} class={`line-${index % 6}`} points={line.points.map(({x, y}) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
            ))}
          </svg>
          <p class="curve-ends fine" aria-hidden="true">
            <span>0 – {format(curves.top)}</span>
            <span>{by}</span>
          </p>
          <ul class="curve-legend">
            {curves.lines.map((line, index) => (
              <li key={line.name}>
                <svg viewBox="0 0 24 8" aria-hidden="true" focusable="false">
                  <line class={`line-${index % 6}`} x1="0" x2="24" y1="4" y2="4" />
                </svg>
                {shown(line.name)}: {format(line.last)}
              </li>
            ))}
          </ul>
        </>
      )}
    </figure>
  );
}
