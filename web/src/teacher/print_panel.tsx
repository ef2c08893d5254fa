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
  const [solutions, setSolutions] = useState<ReadonlyMap<string, Solution | null>>(new Map());
  const [progress, setProgress] = useState<number | null>(null);
  const [isReady, setReady] = useState(false); // everything is on the sheet: print once it is drawn
  const shown = exercises.flatMap((resolved) => (resolved.state === 'ready' ? [resolved.exercise] : []));

  useEffect(() => {
    if (!isReady) return;
    setReady(false);
    print();
  }, [isReady]);
  // Solutions have sentences in one language.
  useEffect(() => setSolutions(new Map()), [tutor]);

  const prepare = async (): Promise<void> => {
    if (what !== 'sheet') {
      const known = new Map(solutions);
      let done = 0;
      for (const exercise of shown) {
        setProgress(++done);
        const key = solutionKey(exercise);
        if (!known.has(key)) known.set(key, await solve(exercise));
      }
      setSolutions(known);
      setProgress(null);
    }
    setReady(true);
  };
  const solve = ({domain, problem}: ShownExercise): Promise<Solution | null> =>
    tutor.solve({problem, domain}).catch(() => null);
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
            disabled={progress !== null || shown.length === 0}
            onClick={() => void prepare()}
          >
            <Icon name="print" />
            {t('print_now')}
          </button>
        </div>
        <p class="fine" role="status">
          {progress !== null && t('solving', {done: progress, count: shown.length})}
        </p>
      </section>
      <Worksheet
        title={draft.title === '' ? t('untitled') : draft.title}
        exercises={shown}
        solutions={shown.map((exercise) => solutions.get(solutionKey(exercise)) ?? null)}
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
