import {about} from './i18n/about';
import {useTutor} from './engine/context';
import {useEffect, useState} from 'preact/hooks';
import {useText} from './state/settings';
import type {ViewProps} from './views';

export default function AboutView(_: ViewProps) {
  const t = useText(about);
  const tutor = useTutor();
  const [version, setVersion] = useState('');
  useEffect(() => {
    tutor.version().then(
      (answer) => setVersion(`${answer.version} · ${answer.engine} · ${answer.kernels}`),
      () => setVersion(''),
    );
  }, [tutor]);
  return (
    <article class="prose">
      <h1>{t('title')}</h1>
      <p>{t('what')}</p>
      <h2>{t('privacy_title')}</h2>
      <p>{t('privacy')}</p>
      <h2>{t('keyboard_title')}</h2>
      <p>{t('keyboard')}</p>
      <h2>{t('licences_title')}</h2>
      <p>{t('licences')}</p>
      {version !== '' && <p class="fine">conpole {version}</p>}
    </article>
  );
}
