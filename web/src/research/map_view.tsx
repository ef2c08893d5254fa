// The map of exercises: made for the skills of a domain or from a list, placed by the vectors of the policy's network.

import {useState} from 'preact/hooks';
import {useEngine, useTutor} from '../engine/context';
import type {CallOptions, Tutor} from '../engine/engine';
import type {ProblemMap, Skill} from '../engine/wire';
import {research} from '../i18n/research';
import {useSettings, useText} from '../state/settings';
import {useSkills} from '../teacher/item_list';
import {Scatter, type ScatterPoint} from './scatter_plot';
import {percentOf} from './numbers';
import {useAnswer} from './use_answer';
import {patience, Waiting} from './waiting';

interface Order {
  source: 'skills' | 'own';
  domain: string;
  each: number;
  problems: string[];
  count: number;
}

interface Drawn {
  points: ScatterPoint[];
  explained: [number, number];
}

export function MapView() {
  const t = useText(research);
  const {language} = useSettings();
  const engine = useEngine();
  const tutor = useTutor();
  const skills = useSkills();
  const [source, setSource] = useState<Order['source']>('skills');
  const [domain, setDomain] = useState('algebra');
  const [each, setEach] = useState(3);
  const [written, setWritten] = useState('');
  const [order, setOrder] = useState<Order | null>(null);
  const domains = [...new Set([...skills.values()].map((skill) => skill.domain))];
  const problems = written
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

  const draw = async (asked: Order, options: CallOptions): Promise<Drawn> => {
    const made =
      asked.source === 'own'
        ? asked.problems.map((problem) => ({problem, group: t('map_no_group')}))
        : await makeExercises(
            tutor,
            [...skills.values()].filter((skill) => skill.domain === asked.domain),
            asked.each,
            options,
          );
    const request = {
      problems: made.map(({problem}) => problem),
      ...(asked.source === 'own' ? {} : {domain: asked.domain}),
      steps: true,
      milliseconds: patience,
      language,
      markup: true,
    };
    const map = await engine.call<ProblemMap>('map', request, options);
    const points = map.points.map((point, index) => ({...point, group: made[index]?.group ?? ''}));
    return {points, explained: map.explained};
  };
  const answer = useAnswer(order === null ? null : (options) => draw(order, options), [order, engine, tutor]);
  const submit = (event: Event): void => {
    event.preventDefault();
    setOrder({source, domain, each, problems, count: (order?.count ?? 0) + 1});
  };

  return (
    <section class="card map" aria-label={t('map')}>
      <p class="fine">{t('map_intro')}</p>
      <form class="row" onSubmit={submit}>
        <label class="labelled">
          <span>{t('map_source')}</span>
          <select value={source} onChange={(event) => setSource(event.currentTarget.value as Order['source'])}>
            <option value="skills">{t('map_skills')}</option>
            <option value="own">{t('map_own')}</option>
          </select>
        </label>
        {source === 'skills' ? (
          <>
            <label class="labelled">
              <span>{t('domain')}</span>
              <select value={domain} onChange={(event) => setDomain(event.currentTarget.value)}>
                {(domains.includes(domain) ? domains : [domain, ...domains]).map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <label class="labelled">
              <span>{t('map_each')}</span>
              <select value={each} onChange={(event) => setEach(Number(event.currentTarget.value))}>
                {[1, 2, 3, 5, 10].map((number) => (
                  <option key={number} value={number}>
                    {number}
                  </option>
                ))}
              </select>
            </label>
          </>
        ) : (
          <label class="labelled grow">
            <span>{t('map_own_label')}</span>
            <textarea
              rows={4}
              value={written}
              maxLength={100_000}
              spellcheck={false}
              onInput={(event) => setWritten(event.currentTarget.value)}
            />
          </label>
        )}
        <button type="submit" class="primary" disabled={source === 'own' ? problems.length < 3 : skills.size === 0}>
          {t('map_draw')}
        </button>
      </form>
      {source === 'own' && problems.length < 3 && <p class="fine">{t('map_few')}</p>}
      <Waiting answer={answer} />
      {answer.state === 'ready' && (
        <>
          <Scatter points={answer.value.points} />
          <p class="fine">
            {t('map_explained', {
              first: percentOf(answer.value.explained[0], language),
              second: percentOf(answer.value.explained[1], language),
            })}
          </p>
          <PointTable points={answer.value.points} />
        </>
      )}
    </section>
  );
}

/** Different exercises of every level of the skills; a level may have fewer than `each`. */
async function makeExercises(tutor: Tutor, skills: readonly Skill[], each: number, options: CallOptions) {
  const made: {problem: string; group: string}[] = [];
  const known = new Set<string>();
  for (const skill of skills) {
    for (let level = 1; level <= skill.levels; ++level) {
      for (let seed = 0; seed < each; ++seed) {
        const {problem} = await tutor.exercise({skill: skill.name, level, seed}, options);
        if (known.has(problem)) continue;
        known.add(problem);
        made.push({problem, group: skill.title});
      }
    }
  }
  return made;
}

function PointTable({points}: {points: readonly ScatterPoint[]}) {
  const t = useText(research);
  const {language} = useSettings();
  const figure = new Intl.NumberFormat(language, {maximumFractionDigits: 3, minimumFractionDigits: 3});
  const hasSteps = points.some(({steps}) => typeof steps === 'number');
  return (
    <details class="point-table">
      <summary>{t('map_table')}</summary>
      <div class="table-scroll" tabIndex={0} role="region" aria-label={t('map_table')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('problem')}</th>
              <th scope="col">{t('group')}</th>
              <th scope="col">x</th>
              <th scope="col">y</th>
              {hasSteps && <th scope="col">{t('steps')}</th>}
            </tr>
          </thead>
          <tbody>
            {points.map((point, index) => (
              <tr key={index}>
                <td>{point.notation}</td>
                <td>{point.group}</td>
                <td class="figure">{figure.format(point.x)}</td>
                <td class="figure">{figure.format(point.y)}</td>
                {hasSteps && <td class="figure">{point.steps}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
