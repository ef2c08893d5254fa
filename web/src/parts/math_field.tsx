// A field for formulas. Its value is LaTeX, which the engine reads as it reads any other notation.

import {useEffect, useRef} from 'preact/hooks';
import type {MathfieldElement} from './math_live';

export interface FieldProps {
  value: string;
  label: string;
  describedBy?: string;
  isInvalid?: boolean;
  autoFocus?: boolean;
  onInput: (value: string) => void;
  /** Gets what is in the field; what was typed last may not have come back yet. */
  onEnter: (value: string) => void;
}

export type MathFieldMaker = () => MathfieldElement;

/** Where a focus would bring up a keyboard over half of the page, the learner gives it. */
export function isTouched(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}

/** Both sides of an equation stand outside of fractions, powers and brackets: "=" goes there first. */
function leaveGroups(field: MathfieldElement): void {
  for (let last = -1; field.position !== last; ) {
    last = field.position;
    field.executeCommand('moveAfterParent');
  }
}

export function MathField({make, ...props}: FieldProps & {make: MathFieldMaker}) {
  const host = useRef<HTMLDivElement>(null);
  const field = useRef<MathfieldElement | null>(null);
  const onTheWay = useRef(new Set<string>()); // typed, and not yet come back; what comes back late must not undo what is newer
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const element = make();
    field.current = element;
    host.current?.append(element);
    element.menuItems = [];
    element.mathVirtualKeyboardPolicy = 'auto';
    element.smartFence = true;
    element.inlineShortcuts = {...element.inlineShortcuts, '*': '\\cdot', or: '\\text{ or }', oder: '\\text{ oder }'};
    element.value = latest.current.value;
    const onInput = (): void => {
      onTheWay.current.add(element.value);
      latest.current.onInput(element.value);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === '=') leaveGroups(element);
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current.onEnter(element.value);
    };
    // The return key of the keyboard on the screen.
    const onBeforeInput = (event: Event): void => {
      if (event instanceof InputEvent && event.inputType === 'insertLineBreak') latest.current.onEnter(element.value);
    };
    element.addEventListener('input', onInput);
    element.addEventListener('beforeinput', onBeforeInput);
    element.addEventListener('keydown', onKey, {capture: true});
    if (latest.current.autoFocus === true && !isTouched()) element.focus();
    return () => {
      element.removeEventListener('input', onInput);
      element.removeEventListener('beforeinput', onBeforeInput);
      element.removeEventListener('keydown', onKey, {capture: true});
      element.remove();
      field.current = null;
    };
  }, [make]);

  useEffect(() => {
    const element = field.current;
    if (element === null) return;
    if (element.value === props.value) onTheWay.current.clear();
    else if (!onTheWay.current.has(props.value)) element.value = props.value;
  }, [props.value]);

  useEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.setAttribute('aria-label', props.label);
    if (props.describedBy !== undefined) element.setAttribute('aria-describedby', props.describedBy);
    element.toggleAttribute('data-invalid', props.isInvalid === true);
  }, [props.label, props.describedBy, props.isInvalid]);

  return <div ref={host} class="math-field" />;
}
