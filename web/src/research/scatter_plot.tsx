// Points on a plane with labels, to be zoomed, dragged, and walked with the arrow keys. Groups differ in colour and in shape.

import {useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {research} from '../i18n/research';
import {Formula} from '../parts/formula';
import {Icon} from '../parts/icon';
import {useText} from '../state/settings';
import {
  fittingLabels,
  moved,
  nearestIn,
  plane,
  showing,
  spotsOf,
  wholePlane,
  zoomed,
  type Direction,
  type Frame,
  type Spot,
} from './scatter';
import type {MapPoint} from '../engine/wire';

export interface ScatterPoint extends MapPoint {
  group: string;
}

const shapes = ['circle', 'square', 'triangle', 'diamond', 'cross'] as const;
const colours = 6;
const keys: Record<string, Direction> = {ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down'};

export function Scatter({points}: {points: readonly ScatterPoint[]}) {
  const t = useText(research);
  const spots = useMemo(() => spotsOf(points), [points]);
  const groups = useMemo(() => [...new Set(points.map(({group}) => group))], [points]);
  const [frame, setFrame] = useState<Frame>(wholePlane);
  const [at, setAt] = useState(0);
  const [hasLabels, setLabels] = useState(true);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const picture = useRef<SVGSVGElement>(null);
  const drag = useRef<Spot | null>(null);
  const unit = frame.width / useWidth(picture); // how long a pixel of the screen is on the plane
  const labels = useMemo(() => {
    if (!hasLabels) return new Set<number>();
    const visible = spots.map((spot, index) => (hidden.has(points[index]?.group ?? '') ? {x: -1, y: -1} : spot));
    return fittingLabels(
      visible,
      points.map(({notation}) => Math.min(notation.length, 24)),
      frame,
      unit,
    );
  }, [spots, points, frame, unit, hasLabels, hidden]);
  const selected = points[at];

  const place = (event: {clientX: number; clientY: number}): Spot => {
    const box = picture.current?.getBoundingClientRect();
    if (box === undefined) return {x: plane.width / 2, y: plane.height / 2};
    return {
      x: frame.left + ((event.clientX - box.left) / box.width) * frame.width,
      y: frame.top + ((event.clientY - box.top) / box.height) * frame.height,
    };
  };
  const middle = {x: frame.left + frame.width / 2, y: frame.top + frame.height / 2};
  const zoom = (factor: number, about: Spot = spots[at] ?? middle): void => setFrame(zoomed(frame, factor, about));
  const go = (index: number): void => {
    setAt(index);
    const spot = spots[index];
    if (spot !== undefined) setFrame(showing(frame, spot));
    picture.current?.querySelector<SVGElement>(`[data-point="${index}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const direction = keys[event.key];
    if (direction !== undefined) go(nearestIn(spots, at, direction));
    else if (event.key === '+') zoom(1.5);
    else if (event.key === '-') zoom(1 / 1.5);
    else if (event.key === '0') setFrame(wholePlane);
    else return;
    event.preventDefault();
  };
  const toggle = (group: string): void => {
    const changed = new Set(hidden);
    if (!changed.delete(group)) changed.add(group);
    setHidden(changed);
  };
  const nameOf = ({notation, speech, group, steps}: ScatterPoint): string => {
    const values = {problem: speech ?? notation, group, steps: steps ?? 0};
    return t(typeof steps === 'number' ? 'map_point_steps' : 'map_point', values);
  };

  return (
    <div class="scatter">
      <div class="row">
        <button
          type="button"
          class="icon-only"
          aria-label={t('zoom_in')}
          title={t('zoom_in')}
          onClick={() => zoom(1.5, middle)}
        >
          <Icon name="plus" />
        </button>
        <button
          type="button"
          class="icon-only"
          aria-label={t('zoom_out')}
          title={t('zoom_out')}
          onClick={() => zoom(1 / 1.5, middle)}
        >
          <span aria-hidden="true">−</span>
        </button>
        <button type="button" onClick={() => setFrame(wholePlane)}>
          {t('zoom_all')}
        </button>
        <label class="tick">
          <input type="checkbox" checked={hasLabels} onChange={(event) => setLabels(event.currentTarget.checked)} />
          <span>{t('labels')}</span>
        </label>
      </div>
      <p class="fine">{t('map_help')}</p>
      <svg
        ref={picture}
        class="scatter-plane"
        role="listbox"
        aria-label={t('map')}
        viewBox={`${frame.left} ${frame.top} ${frame.width} ${frame.height}`}
        onKeyDown={onKeyDown}
        onWheel={(event) => {
          if (!event.ctrlKey && !event.shiftKey) return; // The page scrolls.
          event.preventDefault();
          zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, place(event));
        }}
        onDblClick={(event) => zoom(2, place(event))}
        onPointerDown={(event) => (drag.current = place(event))}
        onPointerMove={(event) => {
          if (drag.current === null || event.buttons === 0) return;
          const now = place(event);
          setFrame(moved(frame, drag.current.x - now.x, drag.current.y - now.y));
        }}
        onPointerUp={() => (drag.current = null)}
      >
        {points.map((point, index) => {
          const spot = spots[index];
          const group = groups.indexOf(point.group);
          if (spot === undefined || hidden.has(point.group)) return null;
          return (
            <g
              key={index}
              role="option"
              data-point={index}
              class={`point group-${group % colours}${index === at ? ' selected' : ''}`}
              transform={`translate(${spot.x} ${spot.y}) scale(${unit})`}
              tabIndex={index === at ? 0 : -1}
              aria-selected={index === at}
              aria-label={nameOf(point)}
              onClick={() => setAt(index)}
              onFocus={() => setAt(index)}
            >
              <Mark shape={shapes[Math.floor(group / colours) % shapes.length] ?? 'circle'} />
            </g>
          );
        })}
        <g aria-hidden="true" class="point-labels">
          {points.map((point, index) => {
            const spot = spots[index];
            const isShown = index === at ? !hidden.has(point.group) : labels.has(index);
            if (spot === undefined || !isShown) return null;
            return (
              <text
                key={index}
                class={index === at ? 'selected' : undefined}
                transform={`translate(${spot.x} ${spot.y}) scale(${unit})`}
                x="9"
                y="4"
              >
                {shortened(point.notation)}
              </text>
            );
          })}
        </g>
      </svg>
      <div class="point-details">
        {selected !== undefined && (
          <>
            <Formula text={selected.notation} mathml={selected.mathml} speech={selected.speech} />
            <span class="chip">{selected.group}</span>
          </>
        )}
      </div>
      {groups.length > 1 && (
        <ul class="legend">
          {groups.map((group, index) => (
            <li key={group}>
              <button
                type="button"
                class={`quiet group-${index % colours}`}
                aria-pressed={!hidden.has(group)}
                onClick={() => toggle(group)}
              >
                <svg viewBox="-8 -8 16 16" aria-hidden="true" class="point">
                  <Mark shape={shapes[Math.floor(index / colours) % shapes.length] ?? 'circle'} />
                </svg>
                {group}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** How wide an element is on the screen. */
function useWidth(element: {current: Element | null}): number {
  const [width, setWidth] = useState<number>(plane.width);
  useLayoutEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width || plane.width));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

function Mark({shape}: {shape: (typeof shapes)[number]}) {
  switch (shape) {
    case 'circle':
      return <circle class="mark-shape" r="5" />;
    case 'square':
      return <rect class="mark-shape" x="-4.5" y="-4.5" width="9" height="9" />;
    case 'triangle':
      return <path class="mark-shape" d="M 0 -6 L 5.5 4.5 L -5.5 4.5 Z" />;
    case 'diamond':
      return <path class="mark-shape" d="M 0 -6.5 L 5.5 0 L 0 6.5 L -5.5 0 Z" />;
    case 'cross':
      return <path class="mark-shape" d="M -2 -6 H 2 V -2 H 6 V 2 H 2 V 6 H -2 V 2 H -6 V -2 H -2 Z" />;
  }
}

function shortened(text: string): string {
  return text.length > 24 ? `${text.slice(0, 23)}…` : text;
}
