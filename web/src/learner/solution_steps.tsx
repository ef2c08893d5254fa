// A solution, as many steps of it as were asked for. Each step marks what it changed, and opens into its reasons, and these into the
// axioms that it is made of.

import {useMemo} from 'preact/hooks';
import type {Solution, Step} from '../engine/wire';
import {learner} from '../i18n/learner';
import {Formula} from '../parts/formula';
import {Icon} from '../parts/icon';
import {Said} from '../parts/said';
import {useText} from '../state/settings';

/** Of a cube: turns say more than the facelets after them. */
function isOfTurns(solution: Solution): boolean {
  return solution.steps.some((step) => step.singmaster !== undefined);
}

export function SolutionSteps({solution, shown}: {solution: Solution; shown: number}) {
  const t = useText(learner);
  const {steps} = solution;
  return (
    <div class="solution-steps">
      {isOfTurns(solution) ? (
        <p class="turns">{solution.steps.slice(0, shown).map((step) => step.singmaster).join(' ')}</p>
      ) : (
        <Formula text={solution.notation ?? solution.problem} mathml={solution.mathml} speech={solution.speech} />
      )}
      <ol>
        {steps.slice(0, shown).map((step, index) => (
          <li key={index}>
            <p class="said">
              <span class="visually-hidden">{t('step_n_of', {n: index + 1, all: steps.length})}: </span>
              <Said text={step.text} />
            </p>
            {step.singmaster === undefined && <Formula text={step.notation ?? step.after} mathml={step.mathml} speech={step.speech} />}
            <Reasons step={step} />
          </li>
        ))}
      </ol>
      {shown >= steps.length && <Conclusion solution={solution} />}
    </div>
  );
}

function Reasons({step}: {step: Step}) {
  const t = useText(learner);
  if (step.why.length === 0) return <Axioms step={step} />;
  return (
    <details class="reasons">
      <summary>{t('why')}</summary>
      <ul>
        {step.why.map((reason, index) => (
          <li key={index}>
            <Said text={reason} />
          </li>
        ))}
      </ul>
      <Axioms step={step} />
    </details>
  );
}

function Axioms({step}: {step: Step}) {
  const t = useText(learner);
  const axioms = step.axioms ?? [];
  if (axioms.length === 0) return null;
  return (
    <details class="reasons axioms">
      <summary>{t('in_axioms', {n: axioms.length})}</summary>
      <ol>
        {axioms.map((axiom, index) => (
          <li key={index}>
            <p class="said">
              <Said text={axiom.text} />
            </p>
            <Formula text={axiom.notation} mathml={axiom.mathml} speech={axiom.speech} />
          </li>
        ))}
      </ol>
      {step.axioms_note != null && <p class="soft">{step.axioms_note}</p>}
    </details>
  );
}

function Conclusion({solution}: {solution: Solution}) {
  const t = useText(learner);
  if (solution.answer === null) return <p class="conclusion">{t('unsolved')}</p>;
  const isVerified = solution.verified === true;
  return (
    <div class="conclusion">
      {!isOfTurns(solution) && (
        <p>
          {t('answer')} <Formula text={solution.answer} mathml={solution.answer_mathml} speech={solution.answer_speech} />
        </p>
      )}
      {solution.decimals !== undefined && solution.decimals !== solution.answer && (
        <p>
          {t('rounded')} <Said text={solution.decimals} />
        </p>
      )}
      <p class={isVerified ? 'verified' : 'soft'}>
        <Icon name={isVerified ? 'check' : 'question'} /> {t(isVerified ? 'verified' : 'not_verified')}
      </p>
      {solution.graph != null && <Graph svg={solution.graph} />}
    </div>
  );
}

/** The description in the picture has its formulas, so that it needs no language. */
function Graph({svg}: {svg: string}) {
  const t = useText(learner);
  const description = useMemo(() => new DOMParser().parseFromString(svg, 'image/svg+xml').querySelector('desc')?.textContent ?? '', [svg]);
  return (
    <details class="reasons">
      <summary>{t('graph')}</summary>
      <img class="graph" src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={description} />
    </details>
  );
}
