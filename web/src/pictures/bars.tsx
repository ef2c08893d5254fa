// Bars of a list, which glide to their new places when the list changes. With `actions` the bars can be worked with: by mouse or
// touch (one bar, then its neighbour), or by keyboard (arrows choose, Space picks up, arrows move it, Escape puts it down).

import type {ComponentChildren} from 'preact';
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {pictures} from '../i18n/pictures';
import {useAnnounce} from '../parts/announcer';
import {useText} from '../state/settings';
import {followBars, shapeBars} from './bars_model';
import {isMotionReduced, turnMilliseconds} from './motion';

/** A step that the domain offers: `swap` of the bars at `position` and after it, or another one of the whole list. */
export interface BarAction {
  axiom: string;
  position: number | null;
  text: string;
}

interface BarsProps<Action extends BarAction> {
  values: readonly number[];
  /** Places of bars that the last step moved. */
  moved?: readonly number[] | undefined;
  actions?: readonly Action[] | undefined;
  /** Takes a step; the promise, if any, is kept when it was taken or refused. */
  onAction?: ((action: Action) => void | Promise<void>) | undefined;
}

interface Named {
  values: readonly number[];
  names: number[];
}

let lastName = 0;
const newName = (): number => ++lastName;

/** The names of the bars of the list that is shown now. */
function useNames(values: readonly number[]): number[] {
  const shown = useRef<Named | null>(null);
  if (shown.current === null) shown.current = {values, names: values.map(newName)};
  if (shown.current.values !== values) {
    shown.current = {values, names: followBars(shown.current.values, shown.current.names, values, newName)};
  }
  return shown.current.names;
}

/** Lets elements glide from where they were before the last change. */
function useGliding(names: readonly number[]) {
  const elements = useRef(new Map<number, HTMLElement>());
  const places = useRef(new Map<number, number>());
  useLayoutEffect(() => {
    const before = places.current;
    places.current = new Map();
    for (const [name, element] of elements.current) {
      const left = element.offsetLeft;
      places.current.set(name, left);
      const moved = (before.get(name) ?? left) - left;
      if (moved === 0 || isMotionReduced()) continue;
      const lift = moved > 0 ? -8 : 0;
      element.animate(
        [{transform: `translateX(${moved}px)`}, {transform: `translate(${moved / 2}px, ${lift}px)`}, {transform: 'none'}],
        {duration: turnMilliseconds, easing: 'ease-in-out'},
      );
    }
  }, [names]);
  return (name: number) => (element: HTMLElement | null) => {
    if (element === null) elements.current.delete(name);
    else elements.current.set(name, element);
  };
}

export function Bars<Action extends BarAction>({values, moved = [], actions, onAction}: BarsProps<Action>) {
  const names = useNames(values);
  const glide = useGliding(names);
  const text = useText(pictures);
  const shapes = shapeBars(values);
  const bar = (place: number) => (
    <span class="bar-track">
      <span
        class={moved.includes(place) ? 'bar-body moved' : 'bar-body'}
        style={{bottom: percent(shapes[place]?.from), top: percent(1 - (shapes[place]?.to ?? 0))}}
      />
    </span>
  );
  if (actions !== undefined && onAction !== undefined) {
    return <WorkBars {...{values, names, glide, bar, actions, onAction}} />;
  }
  return (
    <div class="bars" role="img" aria-label={text('bars', {values: values.join(', ')})}>
      <div class="bars-row">
        {values.map((value, place) => (
          <span class="bar" key={names[place]} ref={glide(names[place] ?? 0)}>
            {bar(place)}
            <span class="bar-value">{value}</span>
          </span>
        ))}
      </div>
    </div>
  );
}

interface WorkBarsProps<Action extends BarAction> {
  values: readonly number[];
  names: readonly number[];
  glide: (name: number) => (element: HTMLElement | null) => void;
  bar: (place: number) => ComponentChildren;
  actions: readonly Action[];
  onAction: (action: Action) => void | Promise<void>;
}

function WorkBars<Action extends BarAction>({values, names, glide, bar, actions, onAction}: WorkBarsProps<Action>) {
  const text = useText(pictures);
  const say = useAnnounce();
  const [taken, setTaken] = useState<number | null>(null); // the name of the bar that is picked up
  const [chosen, setChosen] = useState(0); // the place that the keyboard is at
  const row = useRef<HTMLDivElement>(null);
  const focused = useRef<number | null>(null); // the name of the bar that has the focus
  const taking = useRef<readonly Action[] | null>(null); // the steps of which one is being taken
  const waiting = useRef<number[]>([]); // moves of the picked bar that came meanwhile, to the left (-1) or right (1)
  // Steps belong to the list that was there when they came.
  const known = useRef({actions, values});
  if (known.current.actions !== actions) known.current = {actions, values};
  const areStale = known.current.values.join() !== values.join();
  const last = values.length - 1;
  const place = taken === null ? Math.min(chosen, last) : Math.max(names.indexOf(taken), 0);
  const whole = actions.filter((action) => action.axiom !== 'swap');
  const buttonAt = (at: number) => row.current?.querySelectorAll('button')[at];

  useLayoutEffect(() => {
    // Browsers take the focus from an element that is moved.
    if (focused.current === null || document.activeElement !== document.body) return;
    buttonAt(names.indexOf(focused.current))?.focus();
  }, [names]);
  useEffect(() => {
    const by = actions.length === 0 ? undefined : waiting.current.shift();
    if (by !== undefined) step(place + by);
  }, [actions]);

  const act = async (action: Action): Promise<void> => {
    taking.current = actions;
    try {
      await onAction(action);
    } finally {
      // If it led nowhere, the steps stay as they are, and another one may be taken.
      setTimeout(() => {
        if (taking.current === actions) taking.current = null;
      }, 100);
    }
  };
  const swapTo = (to: number): void => {
    if (actions.length === 0 || areStale || taking.current === actions) {
      waiting.current = [...waiting.current, to - place].slice(0, 20);
      return;
    }
    const action = actions.find(({axiom, position}) => axiom === 'swap' && position === Math.min(place, to));
    if (action === undefined) return;
    say(text('bar_moved', {value: values[place] ?? '', place: to + 1}));
    void act(action);
  };
  const take = (at: number): void => {
    const isTaken = names[at] === taken;
    waiting.current = [];
    say(text(isTaken ? 'bar_dropped' : 'bar_picked', {value: values[at] ?? ''}));
    setTaken(isTaken ? null : (names[at] ?? null));
    setChosen(at);
  };
  const press = (at: number): void => {
    if (taken === null || at === place) return take(at);
    if (Math.abs(at - place) === 1) {
      swapTo(at);
      return setTaken(null);
    }
    setTaken(names[at] ?? null);
    say(text('bars_not_neighbours', {value: values[at] ?? ''}));
  };
  const step = (to: number): void => {
    if (to < 0 || to > last) return;
    if (taken === null) buttonAt(to)?.focus();
    else swapTo(to);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'ArrowLeft') step(place - 1);
    else if (event.key === 'ArrowRight') step(place + 1);
    else if (event.key === 'Home' && taken === null) step(0);
    else if (event.key === 'End' && taken === null) step(last);
    else if (event.key === 'Escape' && taken !== null) take(place);
    else return;
    event.preventDefault();
  };
  const onFocus = (at: number): void => {
    setChosen(at);
    focused.current = names[at] ?? null;
  };
  const onBlur = (event: FocusEvent): void => {
    if (event.relatedTarget !== null) focused.current = null;
  };

  return (
    <div class="bars bars-work">
      <div class="bars-row" role="group" aria-label={text('bars', {values: values.join(', ')})} ref={row} onKeyDown={onKeyDown}>
        {values.map((value, at) => (
          <button
            type="button"
            class={names[at] === taken ? 'bar taken' : 'bar'}
            key={names[at]}
            ref={glide(names[at] ?? 0)}
            tabIndex={at === place ? 0 : -1}
            aria-pressed={names[at] === taken}
            aria-label={text(names[at] === taken ? 'bar_taken' : 'bar', {place: at + 1, count: values.length, value})}
            onClick={() => press(at)}
            onFocus={() => onFocus(at)}
            onBlur={onBlur}
          >
            {bar(at)}
            <span class="bar-value">{value}</span>
          </button>
        ))}
      </div>
      <div class="bars-actions">
        {whole.map((action) => (
          <button
            type="button"
            key={`${action.axiom} ${action.position ?? ''}`}
            onClick={() => {
              if (action.axiom === 'reverse') say(text('bars_reversed'));
              void act(action);
            }}
          >
            {action.text}
          </button>
        ))}
      </div>
      <p class="picture-help">{text('bars_help')}</p>
    </div>
  );
}

function percent(share = 0): string {
  return `${(100 * share).toFixed(2)}%`;
}
