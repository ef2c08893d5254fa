// Where lines are typed: a field for formulas or one for plain text. Until MathLive is fetched, the plain one stands in for it.

import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {isTouched, MathField, type FieldProps, type MathFieldMaker} from './math_field';
import {indexOfByte} from './text_position';

export type EntryMode = 'formula' | 'text';

type MathLive = typeof import('./math_live');
let fetched: Promise<MathLive> | null = null;

export function fetchMathLive(): Promise<MathLive> {
  fetched ??= import('./math_live').catch((error: unknown) => {
    fetched = null;
    throw error;
  });
  return fetched;
}

interface EntryProps extends FieldProps {
  mode: EntryMode;
  errorByte?: number | null; // where the text stopped making sense
}

export function Entry(props: EntryProps & {example?: string}) {
  const {label, example} = props;
  return (
    <div class="entry">
      <span class="entry-label" aria-hidden="true">
        {label}
        {example !== undefined && <span class="soft"> · {example}</span>}
      </span>
      <Field {...props} />
    </div>
  );
}

function Field({mode, errorByte, ...props}: EntryProps) {
  const [make, setMake] = useState<MathFieldMaker | null>(null);
  const standInHasFocus = useRef<boolean | null>(null); // null: none stood in
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (mode !== 'formula' || make !== null) return;
    let isWanted = true;
    fetchMathLive().then(
      (mathLive) => {
        if (!isWanted) return;
        const {value, onInput} = latest.current;
        if (value !== '' && !value.includes('\\')) onInput(mathLive.latexOfText(value));
        setMake(() => mathLive.newMathField);
      },
      () => undefined, // Text can be typed all the same.
    );
    return () => {
      isWanted = false;
    };
  }, [mode, make]);
  if (mode === 'formula' && make !== null) {
    // By now the learner may be somewhere else.
    return <MathField {...props} make={make} autoFocus={standInHasFocus.current ?? props.autoFocus === true} />;
  }
  const onFocusChange = (has: boolean): void => {
    if (mode === 'formula') standInHasFocus.current = has;
  };
  return <TextField {...props} errorByte={errorByte ?? null} onFocusChange={onFocusChange} />;
}

interface TextFieldProps extends FieldProps {
  errorByte: number | null;
  onFocusChange: (has: boolean) => void;
}

function TextField(props: TextFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  // At once: later, someone who is faster would lose the focus again.
  useLayoutEffect(() => {
    if (props.autoFocus === true && !isTouched()) input.current?.focus();
  }, [props.autoFocus]);
  useEffect(() => {
    if (props.errorByte === null || input.current === null) return;
    const start = indexOfByte(input.current.value, props.errorByte);
    input.current.focus();
    input.current.setSelectionRange(start, Math.min(start + 1, input.current.value.length));
  }, [props.errorByte]);
  return (
    <input
      ref={input}
      class="text-field"
      type="text"
      value={props.value}
      aria-label={props.label}
      aria-describedby={props.describedBy}
      aria-invalid={props.isInvalid === true}
      autocapitalize="off"
      autocomplete="off"
      spellcheck={false}
      maxLength={4000}
      onFocus={() => props.onFocusChange(true)}
      onBlur={() => props.onFocusChange(false)}
      onInput={(event) => props.onInput(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.isComposing) return;
        event.preventDefault();
        props.onEnter(event.currentTarget.value);
      }}
    />
  );
}
