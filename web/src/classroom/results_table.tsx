// Results as a table of all pupils, and as the lines of one.

import {classroom} from '../i18n/classroom';
import {useText} from '../state/settings';
import type {Results, WorkDone} from './api';
import {mistakeName, summaryOf} from './summary';

/** What there is to show, wherever it comes from. */
export type Shown = Pick<Results, 'pupils'> & {exercises: readonly {notation: string}[]};

export function Overview({results}: {results: Shown}) {
  const t = useText(classroom);
  return (
    <div class="results-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            {results.exercises.map((exercise, index) => (
              <th key={index} scope="col" title={exercise.notation}>
                {index + 1}
              </th>
            ))}
            <th scope="col">{t('hints')}</th>
            <th scope="col">{t('mistakes')}</th>
            <th scope="col">{t('minutes')}</th>
          </tr>
        </thead>
        <tbody>
          {results.pupils.map((pupil) => {
            const summary = summaryOf(pupil.work, results.exercises.length);
            return (
              <tr key={pupil.name}>
                <th scope="row">{pupil.name}</th>
                {summary.states.map((state, index) => (
                  <td key={index}>{t(state)}</td>
                ))}
                <td>{summary.help}</td>
                <td>{summary.mistakes.map(([name, count]) => `${mistakeName(name)}${count > 1 ? ` (${count})` : ''}`).join(', ')}</td>
                <td>{Math.round(summary.seconds / 6) / 10}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Work({work, problem}: {work: WorkDone; problem: string}) {
  const t = useText(classroom);
  return (
    <section>
      <h2>{t('exercise_of', {number: work.exercise, problem})}</h2>
      <ol>
        {work.lines.map((line, index) => (
          <li key={index}>
            <span>{line.line}</span> <span class="fine">{t(line.correct ? 'right' : 'wrong')}{line.mistake === null ? '' : `: ${mistakeName(line.mistake)}`}</span>
          </li>
        ))}
      </ol>
      <p class="fine">{t('work_summary', {hints: work.hints, solutions: work.solutions, seconds: work.seconds})}</p>
    </section>
  );
}

export function PupilWork({results, pupil}: {results: Shown; pupil: Shown['pupils'][number]}) {
  return (
    <>
      {pupil.work.map((work) => (
        <Work key={work.exercise} work={work} problem={results.exercises[work.exercise - 1]?.notation ?? ''} />
      ))}
    </>
  );
}
