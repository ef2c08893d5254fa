// Pupils open the link of a class, say who they are, and work. What they do is sent to the teacher's server, and the page says so. A link
// with a pupil's code in it (KEY/CODE) knows who it is: learning platforms make such links.

import {useEffect, useRef, useState} from 'preact/hooks';
import {classroom} from '../i18n/classroom';
import type {WorkEvent} from '../learner/work_event';
import {Failed, Interim} from '../parts/interim';
import type {ExerciseSet} from '../share';
import {readSettings, useSettings, useText} from '../state/settings';
import {isRecord, recall, remember} from '../state/storage';
import {Exercises} from '../teacher/set_view';
import type {ViewProps} from '../views';
import {ClassError, classServer, type ClassSet} from './api';
import {hostOf, useRecords} from './records';
import {useOutbox} from './use_outbox';

interface Pupil {
  code: string;
  name: string;
}

export default function ClassView({rest}: ViewProps) {
  const [set = '', code = ''] = rest.split('/');
  return <Class key={rest} set={set} code={code} />;
}

function Class({set, code}: {set: string; code: string}) {
  const t = useText(classroom);
  const {change} = useSettings();
  const [found, setFound] = useState<ClassSet | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [pupil, setPupil] = useState<Pupil | null>(() => recall(`class.${set}.pupil`, readPupil) ?? null);
  const enter = (joined: Pupil): void => {
    remember(`class.${set}.pupil`, joined);
    setPupil(joined);
  };
  useEffect(() => {
    const open = async (): Promise<void> => {
      const answer = await classServer.set(set);
      if (code !== '' && code !== pupil?.code) enter({code, name: (await classServer.pupil(set, code)).name});
      setFound(answer);
      if (recall('settings', readSettings)?.language === undefined) change({language: answer.language});
    };
    open().catch((error: unknown) => setFailure(error instanceof ClassError && error.status === 404 ? t('no_set') : t('no_server')));
  }, []);
  if (failure !== null) return <Failed title={t('untitled')} reason={failure} />;
  if (found === null) return <Interim title={t('untitled')} />;
  if (pupil === null) return <Enter set={set} found={found} onEntered={enter} />;
  return <Working set={set} found={found} pupil={pupil} onLeave={() => (remember(`class.${set}.pupil`, null), setPupil(null))} />;
}

function readPupil(stored: unknown): Pupil | undefined {
  if (!isRecord(stored) || typeof stored.code !== 'string' || typeof stored.name !== 'string') return undefined;
  return {code: stored.code, name: stored.name};
}

const letters = 'abcdefghijkmnpqrstuvwxyz23456789';

function newCode(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => letters[byte % letters.length]).join('');
}

function Enter({set, found, onEntered}: {set: string; found: ClassSet; onEntered: (pupil: Pupil) => void}) {
  const t = useText(classroom);
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const [said, say] = useState('');
  const chosen = useRef(newCode()); // the same when it is sent again
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    say('');
    try {
      const old = code.trim().toLowerCase();
      if (old !== '') onEntered({code: old, name: (await classServer.pupil(set, old)).name});
      else onEntered({code: chosen.current, name: (await classServer.join(set, name, chosen.current)).name});
    } catch (error) {
      const status = error instanceof ClassError ? error.status : 0;
      say(status === 409 ? t('name_taken') : status === 404 ? t('no_code') : status === 400 ? t('name_wrong') : t('no_server'));
    }
  };
  return (
    <form class="set card" onSubmit={(event) => void submit(event)}>
      <h1>{found.title === '' ? t('untitled') : found.title}</h1>
      <label class="labelled">
        <span>{t('your_name')}</span>
        <input type="text" value={name} maxLength={40} autocomplete="off" onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <p class="fine">{t('name_help')}</p>
      <details>
        <summary>{t('have_code')}</summary>
        <label class="labelled">
          <span>{t('code')}</span>
          <input type="text" value={code} maxLength={26} autocomplete="off" onInput={(event) => setCode(event.currentTarget.value)} />
        </label>
      </details>
      {said !== '' && <p role="alert">{said}</p>}
      <button type="submit" class="primary" disabled={name.trim() === '' && code.trim() === ''}>
        {t('begin')}
      </button>
      <p class="fine">{t('privacy', {until: found.until.slice(0, 10)})}</p>
      {found.records !== undefined && <p class="fine">{t('privacy_records', {host: hostOf(found.records)})}</p>}
    </form>
  );
}

function Working({set, found, pupil, onLeave}: {set: string; found: ClassSet; pupil: Pupil; onLeave: () => void}) {
  const t = useText(classroom);
  const {outbox, waiting} = useOutbox(set, pupil.code);
  const record = useRecords(found.records, set, pupil.name, found.title === '' ? t('untitled') : found.title);
  const began = useRef(new Map<number, number>());
  const tell = (index: number, event: WorkEvent): void => {
    record?.(event);
    const start = began.current.get(index) ?? Date.now();
    began.current.set(index, start);
    if (event.event !== 'line' && event.event !== 'hint' && event.event !== 'solution') return;
    const lines = event.event === 'line' && event.lines !== undefined ? {lines: event.lines} : {};
    outbox.add({exercise: index + 1, kind: event.event, ...lines, seconds: Math.round((Date.now() - start) / 1000)});
  };
  const exercises: ExerciseSet = {
    version: 1,
    title: found.title,
    language: found.language,
    hints: found.hints,
    items: found.exercises.map(({domain, problem}) => ({domain, problem})),
  };
  return (
    <>
      <p class="fine" role="status">
        {t('working_as', {name: pupil.name, code: pupil.code})} {waiting === 0 ? t('all_sent') : t('not_sent', {count: waiting})}{' '}
        <button type="button" class="quiet" onClick={onLeave}>
          {t('leave')}
        </button>
      </p>
      <Exercises set={exercises} name={`class.${set}.${pupil.code}`} onWork={tell} />
    </>
  );
}
