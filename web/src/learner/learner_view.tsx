import {frame} from '../i18n/frame';
import {useText} from '../state/settings';
import type {ViewProps} from '../views';

export default function View(_: ViewProps) {
  const t = useText(frame);
  return <h1>{t('tagline')}</h1>;
}
