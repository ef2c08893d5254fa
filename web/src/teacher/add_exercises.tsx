// Three ways to add exercises: written by the teacher, made for a skill, or found by their likeness to a problem.

import {useState} from 'preact/hooks';
import {messageOf} from '../engine/engine';
import {useEngine, useTutor} from '../engine/context';
import {teacher} from '../i18n/teacher';
import {Formula} from '../parts/formula';
import {Icon} from '../parts/icon';
import type {SetItem} from '../share';
import {useSettings, useText} from '../state/settings';
import {ExerciseLine} from './exercise_line';
import {randomSeed, resolveItem, type ShownExercise} from './exercises';
import {useSkills} from './item_list';

type Way = 'own' | 'by_skill' | 'like';
const ways: readonly Way[] = ['own', 'by_skill', 'like'];

interface AddProps {
  onAdd: (items: readonly SetItem[]) => void;
}

export function AddExercises({onAdd}: AddProps) {
  const t = useText(teacher);
  const [way, setWay] = useState<Way>('own');
  return (
    <section class="card" aria-labelledby="add-heading">
      <h2 id="add-heading">{t('add')}</h2>
      <div class="segments" role="group" aria-label={t('how')}>
        {ways.map((name) => (
          <button type="button" key={name} aria-pressed={way === name} onClick={() => setWay(name)}>
            {t(name)}
          </button>
        ))}
      </div>
      {way === 'own' && <AddOwn onAdd={onAdd} />}
      {way === 'by_skill' && <AddBySkill onAdd={onAdd} />}
      {way === 'like' && <AddLike onAdd={onAdd} />}
    </section>
  );
}

interface Unread {
  line: number;
  message: string;
}

function AddOwn({onAdd}: AddProps) {
  const t = useText(teacher);
  const tutor = useTutor();
  const [written, setWritten] = useState('');
  const [unread, setUnread] = useState<readonly Unread[]>([]);
  const [isBusy, setBusy] = useState(false);

  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const items: SetItem[] = [];
    const left: string[] = [];
    const faults: Unread[] = [];
    for (const line of written.split('\n').map((text) => text.trim())) {
      if (line === '') continue;
      try {
        const {domain, state} = await tutor.read({text: line});
        items.push({domain, problem: state});
      } catch (error) {
        left.push(line);
        faults.push({line: left.length, message: messageOf(error)});
      }
    }
    setBusy(false);
    setUnread(faults);
    setWritten(left.join('\n'));
    if (items.length > 0) onAdd(items);
  };

  return (
    <form class="stack" onSubmit={(event) => void add(event)}>
      <label class="labelled">
        <span>{t('own_label')}</span>
        <textarea
          rows={5}
          value={written}
          maxLength={20_000}
          placeholder={t('own_example')}
          spellcheck={false}
          autocapitalize="off"
          aria-describedby="own-help"
          aria-invalid={unread.length > 0}
          onInput={(event) => setWritten(event.currentTarget.value)}
        />
      </label>
      <p class="fine" id="own-help">
        {t('own_help')}
      </p>
      <div role="alert">
        {unread.length > 0 && (
          <div class="notice wrong">
            <p>{t('own_left')}</p>
            <ul>
              {unread.map(({line, message}) => (
                <li key={line}>{t('own_line', {line, message})}</li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <button type="submit" class="primary" disabled={isBusy || written.trim() === ''}>
        <Icon name="plus" />
        {t('own_add')}
      </button>
    </form>
  );
}

const counts = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20];

function AddBySkill({onAdd}: AddProps) {
  const t = useText(teacher);
  const skills = useSkills();
  const [name, setName] = useState('');
  const [level, setLevel] = useState(1);
  const [count, setCount] = useState(4);
  const skill = skills.get(name) ?? [...skills.values()][0];
  if (skill === undefined) return <p class="loading">{t('loading')}</p>;
  const levels = Array.from({length: skill.levels}, (_, index) => index + 1);
  const chosenLevel = Math.min(level, skill.levels);

  const add = (event: Event): void => {
    event.preventDefault();
    const seed = randomSeed();
    onAdd(Array.from({length: count}, (_, index) => ({skill: skill.name, level: chosenLevel, seed: seed + index})));
  };

  return (
    <form class="stack" onSubmit={add}>
      <label class="labelled">
        <span>{t('skill')}</span>
        <select value={skill.name} onChange={(event) => setName(event.currentTarget.value)}>
          {[...skills.values()].map((one) => (
            <option key={one.name} value={one.name}>
              {one.title}
            </option>
          ))}
        </select>
      </label>
      <p class="fine">
        {t('such_as')} <Formula text={skill.example_notation} mathml={skill.example_mathml} />
      </p>
      <div class="row">
        <label class="labelled">
          <span>{t('level')}</span>
          <select value={chosenLevel} onChange={(event) => setLevel(Number(event.currentTarget.value))}>
            {levels.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
        <label class="labelled">
          <span>{t('how_many')}</span>
          <select value={count} onChange={(event) => setCount(Number(event.currentTarget.value))}>
            {counts.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      </div>
      <button type="submit" class="primary">
        <Icon name="dice" />
        {t('make')}
      </button>
    </form>
  );
}

interface SimilarAnswer {
  domain: string;
  similar: {problem: string; notation: string; mathml?: string; speech?: string; cosine: number}[];
}

interface Found {
  item: SetItem;
  exercise: ShownExercise;
  isChosen: boolean;
}

function AddLike({onAdd}: AddProps) {
  const t = useText(teacher);
  const engine = useEngine();
  const tutor = useTutor();
  const {language} = useSettings();
  const [written, setWritten] = useState('');
  const [found, setFound] = useState<readonly Found[]>([]);
  const [fault, setFault] = useState('');
  const [isBusy, setBusy] = useState(false);

  const find = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy || written.trim() === '') return;
    setBusy(true);
    setFault('');
    try {
      const request = {problem: written, count: 400, seed: randomSeed(), k: 8, milliseconds: 30_000, language};
      const {domain, similar} = await engine.call<SimilarAnswer>('similar', request);
      const items = similar.map(({problem}) => ({domain, problem}));
      const shown = await Promise.all(items.map(async (item) => ({item, exercise: await resolveItem(tutor, item)})));
      setFound(shown.map((one, index) => ({...one, isChosen: index < 4})));
    } catch (error) {
      setFound([]);
      setFault(messageOf(error));
    }
    setBusy(false);
  };
  const choose = (index: number, isChosen: boolean): void =>
    setFound(found.map((one, at) => (at === index ? {...one, isChosen} : one)));
  const add = (): void => {
    onAdd(found.filter(({isChosen}) => isChosen).map(({item}) => item));
    setFound(found.filter(({isChosen}) => !isChosen));
  };

  return (
    <div class="stack">
      <form class="row" onSubmit={(event) => void find(event)}>
        <label class="labelled grow">
          <span>{t('like_label')}</span>
          <input
            type="text"
            value={written}
            maxLength={2000}
            placeholder={t('like_example')}
            spellcheck={false}
            autocapitalize="off"
            aria-invalid={fault !== ''}
            onInput={(event) => setWritten(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={isBusy || written.trim() === ''}>
          {t('like_find')}
        </button>
      </form>
      <div role="alert">{fault !== '' && <p class="notice wrong">{fault}</p>}</div>
      {isBusy && <p class="loading">{t('loading')}</p>}
      {found.length > 0 && (
        <>
          <p class="fine">{t('like_found')}</p>
          <ul class="found">
            {found.map(({exercise, isChosen}, index) => (
              <li key={exercise.problem}>
                <label class="tick">
                  <input type="checkbox" checked={isChosen} onChange={(event) => choose(index, event.currentTarget.checked)} />
                  <ExerciseLine exercise={exercise} />
                </label>
              </li>
            ))}
          </ul>
          <button type="button" class="primary" disabled={!found.some(({isChosen}) => isChosen)} onClick={add}>
            <Icon name="plus" />
            {t('like_add')}
          </button>
        </>
      )}
    </div>
  );
}
