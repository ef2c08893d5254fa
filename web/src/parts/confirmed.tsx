// A button for what cannot be undone: it asks once more.

import {useState} from 'preact/hooks';
import {frame} from '../i18n/frame';
import {useText} from '../state/settings';
import {Icon} from './icon';

export function Confirmed({label, onConfirmed}: {label: string; onConfirmed: () => void}) {
  const t = useText(frame);
  const [isAsked, ask] = useState(false);
  if (!isAsked) {
    return (
      <button type="button" class="quiet" onClick={() => ask(true)}>
        <Icon name="trash" />
        {label}
      </button>
    );
  }
  return (
    <span class="row" role="group" aria-label={label}>
      <span>{t('sure')}</span>
      <button type="button" class="primary" onClick={() => (ask(false), onConfirmed())}>
        {label}
      </button>
      <button type="button" onClick={() => ask(false)}>
        {t('keep')}
      </button>
    </span>
  );
}
