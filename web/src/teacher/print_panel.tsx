// What is printed, and the sheet itself, which only paper shows.

import {useEffect, useState} from 'preact/hooks';
import {useTutor} from '../engine/context';
import type {Solution} from '../engine/wire';
import {teacher} from '../i18n/teacher';
import {Choice} from '../parts/choice';
import {Icon} from '../parts/icon';
import {useText} from '../state/settings';
import type {Draft} from './draft';
import type {Resolved, ShownExercise} from './exercises';
import {Worksheet, type Paper, type Room, type SheetPart} from './worksheet';

interface PrintPanelProps {
  draft: Draft;
  exercises: readonly Resolved[];
}

type What = 'sheet' | 'both' | 'solutions';
const parts: Record<What, SheetPart[]> = {sheet: ['exercises'], both: ['exercises', 'solutions'], solutions: ['solutions']};

export function PrintPanel({draft, exercises}: PrintPanelProps) {
  const t = useText(teacher);
  const tutor = useTutor();
  const [what, setWhat] = useState<What>('sheet');
  const [room, setRoom] = useState<Room>('medium');
  const [columns, setColumns] = useState(1);
  const [paper, setPaper] = useState<Paper>(() => (/^en-(US|CA)$/.test(navigator.language) ? 'letter' : 'a4'));
  const [solutions, setSolutions] = useState<ReadonlyMap<string, Solution | null>>(new Map()); // null: none was found
  const [isWanted, setWanted] = useState(false); // print once everything is on the sheet
  const shown = exercises.flatMap((resolved) => (resolved.state === 'ready' ? [resolved.exercise] : []));
  const missing = what === 'sheet' ? [] : shown.filter((exercise) => !solutions.has(solutionKey(exercise)));
  const [next] = missing;

  // Solutions have sentences in one language.
  useEffect(() => setSolutions(new Map()), [tutor]);
  // One after the other, as soon as they are chosen: the browser's own menu prints without asking.
  useEffect(() => {
    if (next === undefined) return;
    let isCurrent = true;
    const keep = (solution: Solution | null): void => {
      if (isCurrent) setSolutions((known) => new Map(known).set(solutionKey(next), solution));
    };
    tutor.solve({problem: next.problem, domain: next.domain}).then(keep, () => keep(null));
    return () => void (isCurrent = false);
  }, [tutor, next === undefined ? '' : solutionKey(next)]);
  useEffect(() => {
    if (!isWanted || missing.length > 0) return;
    setWanted(false);
    print();
  }, [isWanted, missing.length]);
  useEffect(() => {
    if (missing.length === 0) return;
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'p') return;
      event.preventDefault();
      setWanted(true);
    };
    addEventListener('keydown', onKey, {capture: true});
    return () => removeEventListener('keydown', onKey, {capture: true});
  }, [missing.length === 0]);

  return (
    <>
      <section class="card print-panel" aria-labelledby="print-heading">
        <h2 id="print-heading">{t('print')}</h2>
        <div class="row">
          <Choice
            name={t('print_what')}
            value={what}
            set={setWhat}
            options={[
              ['sheet', t('print_sheet')],
              ['both', t('print_both')],
              ['solutions', t('print_solutions')],
            ]}
          />
          <Choice
            name={t('room')}
            value={room}
            set={setRoom}
            options={[
              ['small', t('room_small')],
              ['medium', t('room_medium')],
              ['large', t('room_large')],
            ]}
          />
          <Choice
            name={t('columns')}
            value={columns}
            set={setColumns}
            options={[
              [1, '1'],
              [2, '2'],
            ]}
          />
          <Choice
            name={t('paper')}
            value={paper}
            set={setPaper}
            options={[
              ['a4', 'A4'],
              ['letter', 'Letter'],
            ]}
          />
          <button
            type="button"
            class="primary"
            disabled={isWanted || shown.length === 0}
            onClick={() => setWanted(true)}
          >
            <Icon name="print" />
            {t('print_now')}
          </button>
        </div>
        <p class="fine" role="status">
          {missing.length > 0 && t('solving', {done: shown.length - missing.length + 1, count: shown.length})}
        </p>
      </section>
      <Worksheet
        title={draft.title === '' ? t('untitled') : draft.title}
        exercises={shown}
        solutions={shown.map((exercise) => solutions.get(solutionKey(exercise)))}
        parts={parts[what]}
        room={room}
        columns={columns}
        paper={paper}
      />
    </>
  );
}

function solutionKey({domain, problem}: ShownExercise): string {
  return `${domain} ${problem}`;
}
