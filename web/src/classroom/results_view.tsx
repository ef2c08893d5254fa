// What the pupils of a class did, for their teacher: a table of all, and the lines of each.

import {useEffect, useState} from 'preact/hooks';
import {download} from '../export/download';
import {classroom} from '../i18n/classroom';
import {Confirmed} from '../parts/confirmed';
import {CopyLink} from '../parts/copy_link';
import {Icon} from '../parts/icon';
import {link} from '../router';
import {useText} from '../state/settings';
import type {ViewProps} from '../views';
import {ClassError, classServer, type Results} from './api';
import {Overview, PupilWork} from './results_table';

export default function ResultsView({rest}: ViewProps) {
  const t = useText(classroom);
  const [results, setResults] = useState<Results | null>(null);
  const [failure, setFailure] = useState('');
  const [isDeleted, setDeleted] = useState(false);
  const load = async (): Promise<void> => {
    try {
      setResults(await classServer.results(rest));
      setFailure('');
    } catch (error) {
      setFailure(error instanceof ClassError && error.status === 404 ? t('no_results') : t('no_server'));
    }
  };
  useEffect(() => void load(), [rest]);
  const remove = async (name?: string): Promise<void> => {
    try {
      await classServer.delete(rest, name);
      if (name === undefined) setDeleted(true);
      else await load();
    } catch {
      setFailure(t('no_server'));
    }
  };
  const save = async (): Promise<void> => {
    try {
      download('results.csv', 'text/csv', await classServer.csv(rest));
    } catch {
      setFailure(t('no_server'));
    }
  };
  if (isDeleted) {
    return (
      <p class="notice" role="status">
        {t('deleted')}
      </p>
    );
  }
  return (
    <div class="teach">
      <header class="teach-head">
        <h1>{results === null || results.title === '' ? t('results') : results.title}</h1>
        <p class="fine">{t('results_key_help')}</p>
      </header>
      {failure !== '' && (
        <p class="notice" role="alert">
          {failure}
        </p>
      )}
      {results === null && failure === '' && <p class="loading">{t('loading')}</p>}
      {results !== null && (
        <>
          <section class="card">
            <div class="row">
              <button type="button" class="primary" onClick={() => void load()}>
                {t('refresh')}
              </button>
              <button type="button" onClick={() => void save()}>
                <Icon name="download" />
                {t('csv')}
              </button>
              <CopyLink label={t('copy_pupils')} route={link('class', results.pupils_key)} />
            </div>
            {results.pupils.length === 0 ? <p>{t('nobody')}</p> : <Overview results={results} />}
          </section>
          {results.pupils.map((pupil) => (
            <details key={pupil.name} class="card">
              <summary>{pupil.name}</summary>
              <PupilWork results={results} pupil={pupil} />
              <Confirmed label={t('delete_pupil', {name: pupil.name})} onConfirmed={() => void remove(pupil.name)} />
            </details>
          ))}
          <section class="card">
            <p class="fine">{t('kept_until', {until: results.until.slice(0, 10)})}</p>
            <Confirmed label={t('delete_all')} onConfirmed={() => void remove()} />
          </section>
        </>
      )}
    </div>
  );
}
