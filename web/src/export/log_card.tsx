// The learner's log: how much there is, how to take it away, how to delete it.

import {useState} from 'preact/hooks';
import {logTexts} from '../i18n/log';
import {useAnnounce} from '../parts/announcer';
import {Icon} from '../parts/icon';
import {useText} from '../state/settings';
import {downloadLog, downloadXapi} from './download';
import {learnerLog} from './learner_log';

export function LogCard() {
  const t = useText(logTexts);
  const announce = useAnnounce();
  const [count, setCount] = useState(() => learnerLog().entries().length);
  const clear = (): void => {
    learnerLog().clear();
    setCount(0);
    announce(t('cleared'));
  };
  return (
    <section class="card log-card" aria-labelledby="log-heading">
      <div class="card-head">
        <h2 id="log-heading">{t('title')}</h2>
        <span class="fine">{t('count', {count})}</span>
      </div>
      <p class="fine">{t('help')}</p>
      <div class="row">
        <button type="button" disabled={count === 0} onClick={() => downloadLog(learnerLog().file())}>
          <Icon name="download" />
          {t('json')}
        </button>
        <button type="button" disabled={count === 0} onClick={() => downloadXapi(learnerLog().file(), {base: location.href})}>
          <Icon name="download" />
          {t('xapi')}
        </button>
        <button type="button" class="quiet" disabled={count === 0} onClick={clear}>
          <Icon name="trash" />
          {t('clear')}
        </button>
      </div>
    </section>
  );
}
