// Training runs of the server's folder: all of them, and one with its curves and a problem that it tried lately.

import {useState} from 'preact/hooks';
import {runs} from '../i18n/runs';
import {Choice} from '../parts/choice';
import {Formula} from '../parts/formula';
import {Failed, Interim} from '../parts/interim';
import {percentOf, scoreOf} from '../research/numbers';
import {link} from '../router';
import {useSettings, useText} from '../state/settings';
import type {ViewProps} from '../views';
import {isRunning, useRuns, type Run, type RunAbout, type RunsAnswer} from './api';
import {Curve} from './curve';

const solved = 'validation_success';

export default function RunsView({rest}: ViewProps) {
  const [token, setToken] = useState('');
  return rest === '' ? <List token={token} onToken={setToken} /> : <One key={rest} run={decodeURIComponent(rest)} token={token} onToken={setToken} />;
}

interface Asking {
  token: string;
  onToken: (token: string) => void;
}

/** What stands in the place of an answer. */
function NoAnswer({answer, onToken, isOne}: {answer: Exclude<RunsAnswer<unknown>, {state: 'ready'}>; onToken: (token: string) => void; isOne: boolean}) {
  const t = useText(runs);
  if (answer.state === 'waiting') return <Interim title={t('title')} />;
  if (answer.status !== 401) return <Failed title={t('title')} reason={t(answer.status === 0 ? 'no_server' : isOne && answer.status === 404 ? 'no_run' : 'no_runs')} />;
  return (
    <Interim title={t('title')}>
      <label class="labelled">
        <span>{t('token')}</span>
        <input type="password" autocomplete="off" onChange={(event) => onToken(event.currentTarget.value)} />
      </label>
    </Interim>
  );
}

function useFormats() {
  const {language} = useSettings();
  return {
    percent: (share: number | null | undefined) => (typeof share === 'number' ? percentOf(share, language) : '–'),
    count: (count: number | undefined) => (count === undefined ? '–' : new Intl.NumberFormat(language, {notation: 'compact', maximumFractionDigits: 2}).format(count)),
    time: (seconds: number | null | undefined) => {
      if (typeof seconds !== 'number') return '–';
      const [value, unit] = seconds < 90 ? [seconds, 'second'] : seconds < 5400 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour'];
      return new Intl.NumberFormat(language, {style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: unit === 'hour' ? 1 : 0}).format(value);
    },
    score: (score: number) => scoreOf(score, language),
  };
}

function List({token, onToken}: Asking) {
  const t = useText(runs);
  const format = useFormats();
  const answer = useRuns<{runs: RunAbout[]}>('list', '', token);
  if (answer.state !== 'ready') return <NoAnswer answer={answer} onToken={onToken} isOne={false} />;
  return (
    <div class="runs">
      <header>
        <h1>{t('title')}</h1>
        <p class="lead">{t('intro')}</p>
      </header>
      {answer.value.runs.length === 0 ? (
        <p class="notice">{t('none')}</p>
      ) : (
        <div class="card results-table" tabIndex={0} role="region" aria-label={t('title')}>
          <table>
            <thead>
              <tr>
                {(['run', 'domain', 'state', 'steps', 'time', 'validation', 'best'] as const).map((name) => (
                  <th key={name} scope="col">
                    {t(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {answer.value.runs.map((run) => (
                <tr key={run.run}>
                  <th scope="row">
                    <a href={link('runs', encodeURIComponent(run.run))}>{run.run}</a>
                  </th>
                  <td>{run.domain ?? '–'}</td>
                  <td>{t(isRunning(run.age, run.running) ? 'running' : 'stopped')}</td>
                  <td>{format.count(run.step)}</td>
                  <td>{format.time(run.seconds)}</td>
                  <td>{format.percent(run.validation_success)}</td>
                  <td>{format.percent(run.best_validation)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

function One({run, token, onToken}: Asking & {run: string}) {
  const t = useText(runs);
  const format = useFormats();
  const [along, setAlong] = useState<'step' | 'seconds'>('step');
  const answer = useRuns<Run>('show', run, token);
  if (answer.state !== 'ready') return <NoAnswer answer={answer} onToken={onToken} isOne />;
  const {progress, curve, age} = answer.value;
  const ofDomains = Object.keys(curve.at(-1) ?? {}).filter((name) => name.startsWith(`${solved}/`));
  const names = [
    {name: solved, shown: ofDomains.length === 0 ? (progress.domain ?? run) : t('mean')},
    ...ofDomains.map((name) => ({name, shown: name.slice(solved.length + 1)})),
  ];
  const formatX = along === 'step' ? format.count : format.time;
  const left = typeof progress.seconds_left === 'number' ? ` (${t('left', {time: format.time(progress.seconds_left)})})` : '';
  return (
    <div class="runs">
      <header>
        <p>
          <a href={link('runs')}>{t('all')}</a>
        </p>
        <h1>{run}</h1>
        <p class="lead">{progress.domain}</p>
      </header>
      <section class="card">
        <p>
          {isRunning(age, progress.running) ? `${t('running')}${left}` : t('stopped')} · {t('steps')}: {format.count(progress.step)} · {t('time')}: {format.time(progress.seconds)} ·{' '}
          {t('best')}: {format.percent(progress.best_validation)}
        </p>
        <Choice name={t('by')} value={along} set={setAlong} options={[['step', t('by_steps')], ['seconds', t('by_seconds')]]} />
        <div class="curves">
          <Curve title={t('solved_curve')} points={curve} names={names} along={along} top={1} format={format.percent} formatX={formatX} />
          <Curve title={t('loss_curve')} points={curve} names={[{name: 'loss', shown: t('loss_curve')}]} along={along} format={format.score} formatX={formatX} />
        </div>
      </section>
      {progress.tried !== undefined && <Tried tried={progress.tried} />}
    </div>
  );
}

function Tried({tried}: {tried: NonNullable<Run['progress']['tried']>}) {
  const t = useText(runs);
  const states = tried.solution.length === 0 ? [tried.problem] : tried.solution;
  return (
    <section class="card">
      <h2>{t('tried')}</h2>
      <p class="fine">
        {tried.domain}: {tried.solution.length === 0 ? t('not_solved') : t('solved_in', {steps: tried.solution.length - 1})}
      </p>
      <ol class="tried">
        {states.map((state, index) => (
          <li key={index}>
            <Formula text={state} />
          </li>
        ))}
      </ol>
    </section>
  );
}
