// Logs of pupils, read back from files: nothing leaves the browser.

import {useState} from 'preact/hooks';
import {classroom} from '../i18n/classroom';
import {useText} from '../state/settings';
import {readLogs, type ReadLogs} from './read_logs';
import {Overview, PupilWork} from './results_table';

export function LogsPanel() {
  const t = useText(classroom);
  const [read, setRead] = useState<ReadLogs | null>(null);
  const open = async (list: FileList | null): Promise<void> => {
    const files = await Promise.all([...(list ?? [])].map(async (file) => ({name: file.name, text: await file.text()})));
    setRead(files.length === 0 ? null : readLogs(files));
  };
  return (
    <section class="card" aria-labelledby="logs-heading">
      <h2 id="logs-heading">{t('logs')}</h2>
      <p class="fine">{t('logs_help')}</p>
      <label class="labelled">
        <span>{t('logs_files')}</span>
        <input type="file" accept=".json,application/json" multiple onChange={(event) => void open(event.currentTarget.files)} />
      </label>
      {read !== null && read.unread.length > 0 && <p role="alert">{t('logs_unread', {names: read.unread.join(', ')})}</p>}
      {read !== null && read.results.pupils.length > 0 && (
        <>
          <Overview results={read.results} />
          {read.results.pupils.map((pupil) => (
            <details key={pupil.name}>
              <summary>{pupil.name}</summary>
              <PupilWork results={read.results} pupil={pupil} />
            </details>
          ))}
        </>
      )}
    </section>
  );
}
