// The problem and the lines that were accepted, and the line that was not.

import {learner} from '../i18n/learner';
import {Formula} from '../parts/formula';
import {Icon} from '../parts/icon';
import {Said} from '../parts/said';
import {indexOfByte} from '../parts/text_position';
import {useText} from '../state/settings';
import type {Attempt, Work, WorkLine} from './work';

export function Lines({work}: {work: Work}) {
  const t = useText(learner);
  const {exercise} = work;
  return (
    <ol class="lines" aria-label={t('lines')}>
      <li class="line given">
        <span class="mark" aria-hidden="true" />
        <div>
          {exercise.picture?.kind === 'cube' ? (
            <span class="soft">{t('scrambled')}</span> // The picture says more than 54 letters.
          ) : (
            <Formula text={exercise.notation} mathml={exercise.mathml} speech={exercise.speech} />
          )}
          {exercise.read_as != null && <p class="said">{t('read_as', {text: exercise.read_as})}</p>}
        </div>
      </li>
      {work.lines.map((line, index) => (
        <AcceptedLine key={index} line={line} />
      ))}
    </ol>
  );
}

function AcceptedLine({line}: {line: WorkLine}) {
  const t = useText(learner);
  return (
    <li class={line.isWarning ? 'line warned' : 'line right'}>
      <span class="mark">
        <Icon name={line.isWarning ? 'warning' : 'check'} />
        <span class="visually-hidden">{t(line.isWarning ? 'warning' : 'right')}</span>
      </span>
      <div>
        <Formula text={line.shown} mathml={line.mathml} speech={line.speech} />
        <p class="said">
          <Said text={line.message} />
        </p>
      </div>
    </li>
  );
}

export function WrongLine({attempt}: {attempt: Attempt}) {
  const t = useText(learner);
  const isUnreadable = attempt.verdict === 'unreadable';
  return (
    <div class="line wrong" data-mistake={attempt.mistake ?? undefined}>
      <span class="mark">
        <Icon name={isUnreadable ? 'question' : 'cross'} />
      </span>
      <div>
        {isUnreadable ? <Unreadable attempt={attempt} /> : <Formula text={attempt.shown} mathml={attempt.mathml} speech={attempt.speech} />}
        <p class="said">
          <strong>{t(isUnreadable ? 'unreadable' : 'wrong')}.</strong> <Said text={attempt.message} />
        </p>
      </div>
    </div>
  );
}

function Unreadable({attempt: {entered, position}}: {attempt: Attempt}) {
  if (entered.includes('\\')) return null; // A formula is still in its field; its LaTeX says little to learners.
  if (position === null) return <code>{entered}</code>;
  const index = indexOfByte(entered, position);
  return (
    <code>
      {entered.slice(0, index)}
      <mark>{entered.slice(index) || '\u00a0'}</mark>
    </code>
  );
}
