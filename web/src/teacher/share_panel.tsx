// The link that is the set.

import {useEffect, useRef, useState} from 'preact/hooks';
import {teacher} from '../i18n/teacher';
import {useAnnounce} from '../parts/announcer';
import {fullAddress} from '../parts/copy_link';
import {Icon} from '../parts/icon';
import {link} from '../router';
import {writeSet} from '../share';
import {useSettings, useText} from '../state/settings';
import {setOf, type Draft} from './draft';

const longLink = 2000;

export function SharePanel({draft}: {draft: Draft}) {
  const t = useText(teacher);
  const announce = useAnnounce();
  const {language} = useSettings();
  const [fragment, setFragment] = useState('');
  const [said, say] = useState('');
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    let isCurrent = true;
    say('');
    writeSet(setOf(draft, language)).then(
      (written) => isCurrent && setFragment(written),
      () => isCurrent && setFragment(''),
    );
    return () => {
      isCurrent = false;
    };
  }, [draft, language]);

  const route = link('set', fragment);
  const address = fullAddress(route);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(address);
      say(t('copied'));
      announce(t('copied'));
    } catch {
      field.current?.select();
      say(t('copy_failed'));
      announce(t('copy_failed'));
    }
  };
  return (
    <section class="card" aria-labelledby="share-heading">
      <h2 id="share-heading">{t('share')}</h2>
      <label class="labelled">
        <span>{t('link')}</span>
        <input
          type="text"
          readOnly
          ref={field}
          value={fragment === '' ? '' : address}
          onFocus={(event) => event.currentTarget.select()}
        />
      </label>
      <div class="row">
        <button type="button" class="primary" disabled={fragment === ''} onClick={() => void copy()}>
          <Icon name="link" />
          {t('copy')}
        </button>
        {fragment !== '' && (
          <a class="button" href={route}>
            <Icon name="play" />
            {t('preview')}
          </a>
        )}
      </div>
      {said !== '' && <p class="fine">{said}</p>}
      {address.length > longLink && <p class="fine">{t('link_long', {count: address.length})}</p>}
    </section>
  );
}
