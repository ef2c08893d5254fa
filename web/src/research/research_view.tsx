import {research} from '../i18n/research';
import {useText} from '../state/settings';
import type {ViewProps} from '../views';

export default function View(_: ViewProps) {
  const t = useText(research);
  return <h1>{t('title')}</h1>;
}
