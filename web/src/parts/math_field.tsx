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

/** Words of problems and answers. */
const words = Object.fromEntries(['or', 'oder', 'of', 'von'].map((word) => [word, `\\text{ ${word} }`]));

const relation = /^[=<>≤≥≠]$/;
const operator = /^[-+*/:·;)]$/;

/**
 * Keys mean what they mean in a line of text: `3/4+2/5` is a sum, though the field draws what follows "/" below a line. Where a
 * denominator, power or root was begun by a key and holds something complete, the key that cannot belong to it leaves it first.
 */
function leaveWhatIsComplete(field: MathfieldElement, key: string): void {
  const last = lastBefore(field);
  const goesOn =
    last === '' || /^(\+|-|\\cdot|\\placeholder.*)$/.test(last) || // nothing is complete yet
    (/^[\d.,]$/.test(key) ? /^[\d.,]$/.test(last) : /^\p{L}$/u.test(key) ? /^\p{L}$|^\\[a-z]+$/u.test(last) : !relation.test(key) && !operator.test(key) && key !== '('); // prettier-ignore
  if (goesOn) return;
  for (let here = field.position; ; here = field.position) {
    field.executeCommand('moveAfterParent');
    if (field.position === here) break;
    if (!relation.test(key) && /^\\(left|mleft|begin)/.test(lastBefore(field))) {
      field.position = here; // Brackets are left by closing them; both sides of an equation stand outside of them.
      break;
    }
  }
  if (key === '/') selectFraction(field); // 1/2/3: it becomes the numerator.
}

function selectFraction(field: MathfieldElement): void {
  const end = field.position;
  const depthAt = (offset: number): number => field.getElementInfo(offset)?.depth ?? 0;
  if (!lastBefore(field).startsWith('\\frac')) return;
  let start = end - 1;
  while (start > 0 && depthAt(start) > depthAt(end)) --start;
  field.selection = {ranges: [[start, end]]};
}

/** What stands before the caret in the same part of the formula. */
function lastBefore(field: MathfieldElement): string {
  return field.getElementInfo(field.position)?.latex ?? '';
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
    element.smartSuperscript = false; // x^10
    element.inlineShortcuts = {...element.inlineShortcuts, '*': '\\cdot', log: '\\log', ...words};
    element.value = latest.current.value;
    let typedTo = -1; // where the caret was after what was typed last
    let isKey = false; // a real one is on its way
    const onInput = (): void => {
      typedTo = element.position;
      onTheWay.current.add(element.value);
      latest.current.onInput(element.value);
    };
    let isTyping = false; // at the end of what was typed; whoever moves the caret knows where it belongs
    let isApart = false; // a blank was typed, which matters between numbers alone: 2 1/2
    const onKey = (event: KeyboardEvent): void => {
      isKey = true;
      setTimeout(() => (isKey = false));
      if (element.mode === 'text') element.executeCommand(['switchMode', 'math']); // after a word
      if (event.key.length > 1) {
        if (/^(Arrow|Home|End|Page|Tab)/.test(event.key)) isTyping = isApart = false;
      } else if (!event.ctrlKey && !event.metaKey && !event.altKey) {
        if (isTyping || relation.test(event.key)) leaveWhatIsComplete(element, isApart && event.key !== '^' ? ';' : event.key);
        if (isApart && /\d/.test(event.key) && /\d$/.test(lastBefore(element))) element.insert('\\:');
        isTyping = true;
        isApart = event.key === ' ';
        if (isApart) {
          event.preventDefault();
          event.stopPropagation();
        }
      }
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current.onEnter(element.value);
    };
    // The keyboard on the screen, which presses no keys.
    const onBeforeInput = (event: Event): void => {
      if (!(event instanceof InputEvent)) return;
      if (event.inputType === 'insertLineBreak') latest.current.onEnter(element.value);
      const key = event.data === '\\cdot' ? '*' : (event.data ?? '');
      if (!isKey && element.position === typedTo && (relation.test(key) || operator.test(key))) leaveWhatIsComplete(element, key);
    };
    const onPointer = (): void => void (isTyping = isApart = false);
    element.addEventListener('input', onInput);
    element.addEventListener('beforeinput', onBeforeInput);
    element.addEventListener('keydown', onKey, {capture: true});
    element.addEventListener('pointerdown', onPointer);
    if (latest.current.autoFocus === true && !isTouched()) element.focus();
    return () => {
      element.removeEventListener('input', onInput);
      element.removeEventListener('beforeinput', onBeforeInput);
      element.removeEventListener('keydown', onKey, {capture: true});
      element.removeEventListener('pointerdown', onPointer);
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
