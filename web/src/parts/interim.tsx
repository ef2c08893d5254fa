// What stands in the place of a view as long as there is nothing of it: that it is coming, or why it is not. It has a heading, so that
// the page has one at every moment; whoever reads by headings would find nothing otherwise.

import type {ComponentChildren} from 'preact';
import {frame} from '../i18n/frame';
import {useText} from '../state/settings';

/** Without children it says that something is being loaded. */
export function Interim({title, children}: {title: string; children?: ComponentChildren}) {
  const t = useText(frame);
  return (
    <>
      <h1 class="visually-hidden">{title}</h1>
      {children ?? <p class="loading">{t('loading')}</p>}
    </>
  );
}

/** Why there is nothing. */
export function Failed({title, reason}: {title: string; reason: string}) {
  return (
    <Interim title={title}>
      <p class="notice" role="alert">
        {reason}
      </p>
    </Interim>
  );
}
