// A line as people write it: drawn from the engine's MathML, read aloud by its speech text.

import {useMemo} from 'preact/hooks';
import {readMathml} from './mathml';

interface FormulaProps {
  text: string; // shown where there is no MathML
  mathml?: string | undefined;
  speech?: string | undefined;
}

export function Formula({text, mathml, speech}: FormulaProps) {
  const math = useMemo(() => (mathml === undefined ? null : readMathml(mathml)), [mathml]);
  if (math === null && (speech === undefined || speech === text)) return <span class="formula plain">{text}</span>;
  return (
    <span class={math === null ? 'formula plain' : 'formula'} role="math" aria-label={speech ?? text}>
      {math ?? <span aria-hidden="true">{text}</span>}
    </span>
  );
}
