import {Fragment} from 'preact';
import {typeset} from './typeset';

/** A sentence of the engine, with its mathematics as people write it. */
export function Said({text}: {text: string}) {
  return (
    <>
      {typeset(text).map((piece, index) => (
        <Fragment key={index}>{typeof piece === 'string' ? piece : <Fraction above={piece[0]} below={piece[1]} />}</Fragment>
      ))}
    </>
  );
}

function Fraction({above, below}: {above: string; below: string}) {
  return (
    <math class="said-fraction">
      <mfrac>
        <mtext>{above}</mtext>
        <mtext>{below}</mtext>
      </mfrac>
    </math>
  );
}
