// A line as people write it: drawn from the engine's MathML, read aloud by its speech text.

import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {readMathml} from './mathml';

interface FormulaProps {
  text: string; // shown where there is no MathML
  mathml?: string | undefined;
  speech?: string | undefined;
}

export function Formula({text, mathml, speech}: FormulaProps) {
  const math = useMemo(() => (mathml === undefined ? null : readMathml(mathml)), [mathml]);
  const element = useRef<HTMLSpanElement>(null);
  const isWide = useOverflow(element);
  return (
    <span
      ref={element}
      class={math === null ? 'formula plain' : 'formula'}
      role="math"
      aria-label={speech ?? text}
      tabIndex={isWide ? 0 : undefined} // What has to be scrolled has to be reached with the keyboard.
    >
      {math ?? <span aria-hidden="true">{text}</span>}
    </span>
  );
}

function useOverflow(element: {readonly current: HTMLElement | null}): boolean {
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    const observed = element.current;
    if (observed === null) return;
    const observer = new ResizeObserver(() => setWide(observed.scrollWidth > observed.clientWidth));
    observer.observe(observed);
    for (const child of observed.children) observer.observe(child);
    return () => observer.disconnect();
  }, [element]);
  return isWide;
}
