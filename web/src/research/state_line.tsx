import type {Markup} from '../engine/wire';
import {Formula} from '../parts/formula';

/** A state as a line; nothing for a cube, which its picture shows. `text` stands in where the engine wrote nothing for people. */
export function StateLine({line, text}: {line: Markup | null; text: string}) {
  if (line?.picture?.kind === 'cube') return null;
  return <Formula text={line?.notation ?? text} mathml={line?.mathml} speech={line?.speech} />;
}
