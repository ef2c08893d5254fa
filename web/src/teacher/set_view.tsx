import {teacher} from '../i18n/teacher';
import {useText} from '../state/settings';
import type {ViewProps} from '../views';

export default function View(_: ViewProps) {
  const t = useText(teacher);
  return <h1>{t('title')}</h1>;
}
