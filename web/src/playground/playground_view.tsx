// A domain as a text file, written and tried in one place: what is wrong with it while it is typed, problems, steps, walks, solutions.
// The address says where the text comes from: #/playground/NAME of the gallery, or the text itself, packed.

import {useEffect, useState} from 'preact/hooks';
import {useTutor} from '../engine/context';
import {download} from '../export/download';
import {playground} from '../i18n/playground';
import {Choice} from '../parts/choice';
import {CopyLink} from '../parts/copy_link';
import {Icon} from '../parts/icon';
import {useAnswer} from '../research/use_answer';
import {link} from '../router';
import {packText, unpackText} from '../share';
import {useText} from '../state/settings';
import {forget, recall, remember} from '../state/storage';
import type {ViewProps} from '../views';
import {Editor} from './editor';
import {gallery} from './gallery';
import {Tryout} from './tryout';

const first = 'sums';
const titleOf = (text: string): string => /^title .*?"([^"]*)"/m.exec(text)?.[1] ?? '';
const nameOf = (text: string): string => /^domain ([a-z0-9-]+)/m.exec(text)?.[1] ?? 'my';

export default function PlaygroundView({rest}: ViewProps) {
  const t = useText(playground);
  const base = rest === '' ? first : rest;
  const [original, setOriginal] = useState<string | null>(null);
  const [isDamaged, setDamaged] = useState(false);
  useEffect(() => {
    setOriginal(gallery[base] ?? null);
    setDamaged(false);
    if (base in gallery) return;
    let isCurrent = true;
    void unpackText(base).then((unpacked) => {
      if (!isCurrent) return;
      if (unpacked.ok) setOriginal(unpacked.text);
      else setDamaged(true);
    });
    return () => void (isCurrent = false);
  }, [base]);
  const options = Object.keys(gallery).map((name) => [name, titleOf(gallery[name] ?? '') || name] as const);
  return (
    <div class="playground">
      <header>
        <h1>{t('title')}</h1>
        <p class="lead">{t('intro')}</p>
      </header>
      <Choice
        name={t('gallery')}
        value={base}
        set={(name) => (location.hash = link('playground', name))}
        options={base in gallery ? options : [[base, t('shared')], ...options]}
      />
      {isDamaged && (
        <p class="trouble" role="alert">
          <Icon name="warning" /> {t('bad_link')}
        </p>
      )}
      {original !== null && <Workshop key={base} base={base} original={original} />}
    </div>
  );
}

function Workshop({base, original}: {base: string; original: string}) {
  const t = useText(playground);
  const tutor = useTutor();
  // Changes to a file of the gallery, or of a link, are kept with it.
  const key = base in gallery ? `playground.${base}` : 'playground.shared';
  const [text, setText] = useState(() => recall(key, (stored) => (isEdit(stored) && stored.base === base ? stored.text : undefined)) ?? original);
  const [asked, setAsked] = useState(text);
  const [fragment, setFragment] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), 300);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    let isCurrent = true;
    packText(asked).then((packed) => isCurrent && setFragment(packed), () => isCurrent && setFragment('')); // prettier-ignore
    return () => void (isCurrent = false);
  }, [asked]);
  const report = useAnswer((call) => tutor.report({domain: asked}, call), [tutor, asked]);
  const change = (next: string): void => {
    setText(next);
    if (next === original) forget(key);
    else remember(key, {base, text: next});
  };
  const runs = report.state === 'ready' && report.value.ok;
  return (
    <div class="playground-columns">
      <section class="card" aria-label={t('file')}>
        <Editor text={text} report={report} isCurrent={asked === text} onChange={change} />
        <div class="row">
          {fragment !== '' && <CopyLink label={t('share')} route={link('playground', fragment)} />}
          <button type="button" class="quiet" onClick={() => download(`${nameOf(text)}.domain`, 'text/plain', text)}>
            <Icon name="download" />
            {t('save')}
          </button>
          {text !== original && (
            <button type="button" class="quiet" onClick={() => change(original)}>
              <Icon name="undo" />
              {t('reset')}
            </button>
          )}
        </div>
      </section>
      {runs && <Tryout key={asked} domain={asked} />}
    </div>
  );
}

function isEdit(stored: unknown): stored is {base: string; text: string} {
  return typeof stored === 'object' && stored !== null && 'base' in stored && 'text' in stored && typeof stored.text === 'string';
}
