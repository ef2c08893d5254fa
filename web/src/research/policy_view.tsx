// The policy's probabilities at a line, and the way that a researcher takes through them.

import {useEffect, useRef, useState} from 'preact/hooks';
import {useTutor} from '../engine/context';
import type {Markup, NextStep, NextSteps} from '../engine/wire';
import {research} from '../i18n/research';
import {useAnnounce} from '../parts/announcer';
import {Icon} from '../parts/icon';
import {Picture} from '../pictures/picture';
import {useSettings, useText} from '../state/settings';
import {bitsOf, percentOf} from './numbers';
import {domainOf, type Asked} from './problem_form';
import {StateLine} from './state_line';
import {useAnswer} from './use_answer';
import {Waiting} from './waiting';

interface Stop extends Markup {
  state: string;
  text: string;
  probability: number;
}

const shownAtFirst = 8;

export function PolicyView({asked}: {asked: Asked}) {
  const t = useText(research);
  const {language} = useSettings();
  const tutor = useTutor();
  const announce = useAnnounce();
  const [path, setPath] = useState<readonly Stop[]>([]);
  const [isWhole, setWhole] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const line = path.at(-1)?.state ?? asked.problem;
  const answer = useAnswer((options) => tutor.next({line, ...domainOf(asked), policy: true}, options), [line, asked, tutor]);

  const take = (step: NextStep): void => {
    setPath([...path, {...step, state: step.after}]);
    setWhole(false);
    announce(`${step.text} ${step.speech ?? step.after}`);
    heading.current?.focus();
  };
  const [start, setStart] = useState<NextSteps | null>(null);
  useEffect(() => {
    if (path.length === 0 && answer.state === 'ready') setStart(answer.value);
  }, [path, answer]);
  const product = path.reduce((sum, stop) => sum * stop.probability, 1);
  const next = answer.state === 'ready' ? answer.value : null;
  const best = next?.steps[0];
  const shown = isWhole ? next?.steps : next?.steps.slice(0, shownAtFirst);
  const less = (next?.steps.length ?? 0) - (shown?.length ?? 0);
  return (
    <div class="policy">
      <section class="card" aria-labelledby="path-heading">
        <div class="card-head">
          <h2 id="path-heading">{t('policy_path')}</h2>
          {path.length > 0 && <span class="fine">{t('policy_product', {percent: percentOf(product, language)})}</span>}
        </div>
        <ol class="policy-path">
          <li>
            <span class="fine">{t('policy_start')}</span>
            <StateLine line={start} text={asked.problem} />
          </li>
          {path.map((stop, index) => (
            <li key={index}>
              <span class="fine">
                {stop.text} <b>{percentOf(stop.probability, language)}</b>
              </span>
              <StateLine line={stop} text={stop.state} />
            </li>
          ))}
        </ol>
        <Picture picture={path.at(-1)?.picture ?? next?.picture} />
        <div class="row">
          <button type="button" disabled={path.length === 0} onClick={() => setPath(path.slice(0, -1))}>
            <Icon name="undo" />
            {t('policy_back')}
          </button>
          <button type="button" class="primary" disabled={best === undefined} onClick={() => best !== undefined && take(best)}>
            <Icon name="arrow" />
            {t('policy_follow')}
          </button>
        </div>
      </section>
      <section class="card" aria-labelledby="steps-heading">
        <div class="card-head">
          <h2 id="steps-heading" ref={heading} tabIndex={-1}>
            {t('policy_steps')}
          </h2>
          {next !== null && next.steps.length > 0 && (
            <span class="fine">
              {t('policy_uncertainty', {
                bits: bitsOf(next.steps.map(({probability}) => probability)).toLocaleString(language, {
                  maximumFractionDigits: 3,
                }),
                count: next.steps.length,
              })}
            </span>
          )}
        </div>
        <p class="fine">{t('policy_intro')}</p>
        <Waiting answer={answer} />
        {next?.solved === true && <p class="good">{t('policy_solved')}</p>}
        {next?.solved === false && next.steps.length === 0 && <p>{t('policy_dead_end')}</p>}
        <ol class="policy-steps">
          {shown?.map((step, index) => (
            <li key={index}>
              <StepButton step={step} onTake={take} />
            </li>
          ))}
        </ol>
        {less > 0 && (
          <button type="button" class="quiet" onClick={() => setWhole(true)}>
            {t('policy_more', {count: less})}
          </button>
        )}
      </section>
    </div>
  );
}

function StepButton({step, onTake}: {step: NextStep; onTake: (step: NextStep) => void}) {
  const {language} = useSettings();
  return (
    <button type="button" class="policy-step" onClick={() => onTake(step)}>
      <span class="policy-bar" aria-hidden="true">
        <span style={{width: `${100 * step.probability}%`}} />
      </span>
      <span class="policy-percent">{percentOf(step.probability, language)}</span>
      <span class="policy-text">
        <span>{step.text}</span>
        <StateLine line={step} text={step.after} />
      </span>
    </button>
  );
}
