// A teacher takes the set as a file that a learning platform imports. It is made in the browser, from the files of the page.

import {useState} from 'preact/hooks';
import {downloadBytes} from '../export/download';
import {platform} from '../i18n/platform';
import {useAnnounce} from '../parts/announcer';
import {Icon} from '../parts/icon';
import {writeSet, type ExerciseSet} from '../share';
import {useSettings, useText} from '../state/settings';
import {setOf, type Draft} from '../teacher/draft';
import type {Resolved, ShownExercise} from '../teacher/exercises';
import {writePackage} from './scorm_package';

export function PackagePanel({draft, exercises}: {draft: Draft; exercises: readonly Resolved[]}) {
  const t = useText(platform);
  const announce = useAnnounce();
  const {language} = useSettings();
  const [said, say] = useState('');
  const ready = exercises.flatMap((one) => (one.state === 'ready' ? [one.exercise] : []));
  const isReady = ready.length === exercises.length;
  const [isBusy, setBusy] = useState(false);
  const tell = (text: string): void => (say(text), announce(text));
  const make = async (): Promise<void> => {
    setBusy(true);
    tell(t('package_busy'));
    try {
      const content = await packageOf(setOf(draft, language), ready, t('untitled'));
      downloadBytes(`${fileName(draft.title)}.zip`, 'application/zip', content);
      tell(t('package_done', {megabytes: (content.length / 1e6).toFixed(1)}));
    } catch {
      tell(t('package_failed'));
    }
    setBusy(false);
  };
  return (
    <section class="card" aria-labelledby="package-heading">
      <h2 id="package-heading">{t('package')}</h2>
      <p class="fine">{t('package_help')}</p>
      <button type="button" disabled={!isReady || isBusy} onClick={() => void make()}>
        <Icon name="download" />
        {t('package_make')}
      </button>
      {said !== '' && <p class="fine">{said}</p>}
    </section>
  );
}

/** With the exercises as they are now, so that all learners have the same ones, also in years. */
async function packageOf(set: ExerciseSet, exercises: readonly ShownExercise[], untitled: string): Promise<Uint8Array<ArrayBuffer>> {
  const items = exercises.map(({domain, problem}) => ({domain, problem}));
  const read = async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
    const response = await fetch(new URL(path, document.baseURI));
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  const files = JSON.parse(new TextDecoder().decode(await read('files.json'))) as string[];
  const fragment = await writeSet({...set, items});
  const domains = items.map(({domain}) => domain);
  return writePackage({title: set.title === '' ? untitled : set.title, fragment, domains, files, read});
}

function fileName(title: string): string {
  const plain = title.replace(/[^\p{L}\p{N} _-]/gu, '').trim().replace(/ +/g, '-').slice(0, 60);
  return plain === '' ? 'exercises' : plain;
}
