// A teacher makes an exercise set: writes or generates exercises, puts them in order, shares the set as a link, prints it.

import {useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {CollectPanel} from '../classroom/collect_panel';
import {LogsPanel} from '../classroom/logs_panel';
import {teacher} from '../i18n/teacher';
import {useAnnounce} from '../parts/announcer';
import {Icon} from '../parts/icon';
import {PackagePanel} from '../platform/package_panel';
import {limits, type SetItem} from '../share';
import {useText} from '../state/settings';
import {forget, recall, remember} from '../state/storage';
import type {ViewProps} from '../views';
import {AddExercises} from './add_exercises';
import {emptyDraft, readDraft, storedDraft, withItems, without, withMoved, withReplaced, type Draft} from './draft';
import {randomSeed, useExercises} from './exercises';
import {ItemList} from './item_list';
import {PrintPanel} from './print_panel';
import {SharePanel} from './share_panel';

const storageKey = 'draft';
const replacedKey = 'draft.replaced'; // the draft that a copy of a set took the place of

export default function TeacherView(_: ViewProps) {
  const t = useText(teacher);
  const announce = useAnnounce();
  const [draft, setDraft] = useState<Draft>(() => recall(storageKey, readDraft) ?? emptyDraft);
  const [previous, setPrevious] = useState<Draft | null>(() => recall(replacedKey, readDraft) ?? null); // what undo brings back
  const latest = useRef(draft);
  const items = useMemo(() => draft.items.map(({item}) => item), [draft.items]);
  const exercises = useExercises(items);
  useLayoutEffect(() => remember(storageKey, storedDraft(draft)), [draft]); // at once, whatever becomes of the page
  useEffect(() => forget(replacedKey), []);

  const change = (next: Draft): void => {
    latest.current = next;
    setDraft(next);
    setPrevious(null);
  };
  const add = (added: readonly SetItem[]): void => {
    const next = withItems(latest.current, added);
    const count = next.items.length - latest.current.items.length;
    announce(count < added.length ? t('full', {count: limits.items}) : t('added', {count}));
    change(next);
  };
  const remove = (index: number): void => {
    const before = latest.current;
    change(without(before, index));
    setPrevious(before);
    announce(t('removed', {number: index + 1}));
  };
  const move = (from: number, to: number): void => {
    change(withMoved(latest.current, from, to));
    announce(t('moved', {number: from + 1, to: to + 1}));
  };
  const another = (index: number): void => {
    const item = latest.current.items[index]?.item;
    if (item !== undefined && 'skill' in item) change(withReplaced(latest.current, index, {...item, seed: randomSeed()}));
  };
  const clear = (): void => {
    const before = latest.current;
    change(emptyDraft);
    setPrevious(before);
  };

  const count = draft.items.length;
  return (
    <div class="teach">
      <header class="teach-head">
        <h1>{t('title')}</h1>
        <p class="lead">{t('intro')}</p>
      </header>
      <div class="teach-columns">
        <div class="teach-side">
          <section class="card teach-set" aria-labelledby="set-heading">
            <div class="card-head">
              <h2 id="set-heading">{t('set')}</h2>
              <span class="fine">{t('count', {count})}</span>
            </div>
            <label class="labelled">
              <span>{t('set_title')}</span>
              <input
                type="text"
                value={draft.title}
                maxLength={limits.titleLength}
                placeholder={t('set_title_example')}
                onInput={(event) => change({...latest.current, title: event.currentTarget.value})}
              />
            </label>
            <label class="tick">
              <input
                type="checkbox"
                checked={draft.hints}
                onChange={(event) => change({...latest.current, hints: event.currentTarget.checked})}
              />
              <span>{t('allow_hints')}</span>
            </label>
            <ItemList draft={draft} exercises={exercises} onMove={move} onRemove={remove} onAnother={another} />
            <div class="row">
              {previous !== null && (
                <button type="button" onClick={() => change(previous)}>
                  <Icon name="undo" />
                  {t('undo')}
                </button>
              )}
              {count > 0 && (
                <button type="button" class="quiet" onClick={clear}>
                  {t('clear')}
                </button>
              )}
            </div>
          </section>
          {count > 0 && <SharePanel draft={draft} />}
          {count > 0 && <CollectPanel draft={draft} />}
          {count > 0 && <PackagePanel draft={draft} exercises={exercises} />}
          <LogsPanel />
        </div>
        <AddExercises onAdd={add} />
      </div>
      {count > 0 && <PrintPanel draft={draft} exercises={exercises} />}
    </div>
  );
}
