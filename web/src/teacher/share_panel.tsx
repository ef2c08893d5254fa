// The link that is the set.

import {useEffect, useState} from 'preact/hooks';
import {teacher} from '../i18n/teacher';
import {fullAddress, LinkField} from '../parts/copy_link';
import {link} from '../router';
import {writeSet} from '../share';
import {useSettings, useText} from '../state/settings';
import {setOf, type Draft} from './draft';

const longLink = 2000;

export function SharePanel({draft}: {draft: Draft}) {
  const t = useText(teacher);
  const {language} = useSettings();
  const [fragment, setFragment] = useState('');
  useEffect(() => {
    let isCurrent = true;
    writeSet(setOf(draft, language)).then(
      (written) => isCurrent && setFragment(written),
      () => isCurrent && setFragment(''),
    );
    return () => {
      isCurrent = false;
    };
  }, [draft, language]);
  const route = link('set', fragment);
  const length = fullAddress(route).length;
  return (
    <section class="card" aria-labelledby="share-heading">
      <h2 id="share-heading">{t('share')}</h2>
      {fragment !== '' && <LinkField key={fragment} label={t('link')} copy={t('copy')} open={t('preview')} route={route} />}
      {length > longLink && <p class="fine">{t('link_long', {count: length})}</p>}
    </section>
  );
}
