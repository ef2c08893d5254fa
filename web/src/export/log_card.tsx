// The learner's log: how much there is, how to take it away, how to delete it.

import {useState} from 'preact/hooks';
import {teacher} from '../i18n/teacher';
import {useAnnounce} from '../parts/announcer';
import {Icon} from '../parts/icon';
import {useText} from '../state/settings';
import {downloadLog, downloadXapi} from './download';
import {learnerLog} from './learner_log';

export function LogCard() {
  const t = useText(teacher);
  const announce = useAnnounce();
  const [count, setCount] = useState(() => learnerLog().entries().length);
  const clear = (): void => {
    learnerLog().clear();
    setCount(0);
    announce(t('log_cleared'));
  };
  return (
    <section class="card log-card" aria-labelledby="log-heading">
      <div class="card-head">
        <h2 id="log-heading">{t('log')}</h2>
        <span class="fine">{t('log_count', {count})}</span>
      </div>
      <p class="fine">{t('log_help')}</p>
      <div class="row">
        <button type="button" disabled={count === 0} onClick={() => downloadLog(learnerLog().file())}>
          <Icon name="download" />
          {t('log_json')}
        </button>
        <button type="button" disabled={count === 0} onClick={() => downloadXapi(learnerLog().file(), {base: location.href})}>
          <Icon name="download" />
          {t('log_xapi')}
        </button>
        <button type="button" class="quiet" disabled={count === 0} onClick={clear}>
          <Icon name="trash" />
          {t('log_clear')}
        </button>
      </div>
    </section>
  );
}
