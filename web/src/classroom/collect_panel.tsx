// A teacher lets the server that the page came from collect results, and gets two links.

import {useState} from 'preact/hooks';
import {classroom} from '../i18n/classroom';
import {LinkField} from '../parts/copy_link';
import {link} from '../router';
import {useSettings, useText} from '../state/settings';
import {setOf, type Draft} from '../teacher/draft';
import {ClassError, classServer, type Keys} from './api';

export function CollectPanel({draft}: {draft: Draft}) {
  const t = useText(classroom);
  const {language} = useSettings();
  const [keys, setKeys] = useState<Keys | null>(null);
  const [said, say] = useState('');
  const [token, setToken] = useState<string | null>(null); // null: the server did not ask for one
  const collect = async (): Promise<void> => {
    say('');
    try {
      const {title, hints, items} = setOf(draft, language);
      setKeys(await classServer.make({title, language, hints, items}, token ?? ''));
    } catch (error) {
      const status = error instanceof ClassError ? error.status : 0;
      if (status === 401) setToken(token ?? '');
      say(status === 401 ? t('token_needed') : status === 404 || status === 405 || status === 501 || status === 0 ? t('no_collecting') : (error as Error).message);
    }
  };
  return (
    <section class="card" aria-labelledby="collect-heading">
      <h2 id="collect-heading">{t('collect')}</h2>
      <p class="fine">{t('collect_help')}</p>
      {token !== null && keys === null && (
        <label class="labelled">
          <span>{t('token')}</span>
          <input type="password" value={token} autocomplete="off" onInput={(event) => setToken(event.currentTarget.value)} />
        </label>
      )}
      <button type="button" onClick={() => void collect()}>
        {t('collect_begin')}
      </button>
      {said !== '' && <p role="alert">{said}</p>}
      {keys !== null && (
        <>
          <LinkField label={t('link_pupils')} copy={t('copy_pupils')} open={t('link_pupils')} route={link('class', keys.pupils)} />
          <LinkField label={t('link_results')} copy={t('copy_results')} open={t('link_results')} route={link('results', keys.results)} />
          <p class="fine">{t('keys_help', {until: keys.until.slice(0, 10)})}</p>
        </>
      )}
    </section>
  );
}
