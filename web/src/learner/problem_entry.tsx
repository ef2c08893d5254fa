// The entry of a problem, with how it is understood while it is typed, and examples.

import {useEffect, useId, useState} from 'preact/hooks';
import {useTutor} from '../engine/context';
import {isAbort, isProblem, messageOf} from '../engine/engine';
import type {Exercise, Reading} from '../engine/wire';
import {learner} from '../i18n/learner';
import {useAnnounce} from '../parts/announcer';
import {Entry, type EntryMode} from '../parts/entry';
import {Formula} from '../parts/formula';
import {Icon} from '../parts/icon';
import {ModeSwitch} from '../parts/mode_switch';
import {CubeStart} from '../pictures/cube_start';
import {link} from '../router';
import {useText} from '../state/settings';
import {recall} from '../state/storage';
import {addressOf} from './address';
import {useDomainName} from './domains';
import {exerciseOf} from './exercise';
import {forgetExercises, pastExercises, workKeyOf} from './history';
import {usePreferredMode} from './preferred_mode';
import {readWork} from './work';

type Open = (exercise: Exercise, startsWithSolution?: boolean) => void;

interface Trouble {
  message: string;
  position: number | null;
}

export function ProblemEntry({takesFocus, onOpen}: {takesFocus: boolean; onOpen: Open}) {
  const t = useText(learner);
  const tutor = useTutor();
  const announce = useAnnounce();
  const [preferred, prefer] = usePreferredMode();
  const [mode, setMode] = useState<EntryMode>(preferred);
  const [text, setText] = useState('');
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const reading = useReading(text);
  const troubleId = useId();

  const start = async (problem: string, startsWithSolution = false): Promise<void> => {
    if (problem.trim() === '') return;
    setTrouble(null);
    try {
      onOpen(exerciseOf(await tutor.read({text: problem})), startsWithSolution);
    } catch (error) {
      const found = {message: messageOf(error), position: isProblem(error) ? (error.position ?? null) : null};
      setTrouble(found);
      announce(found.message);
    }
  };

  return (
    <div class="start">
      <p class="what">{t('what')}</p>
      <h1>{t('headline')}</h1>
      <p class="lead">{t('lead')}</p>
      <div class="ask card">
        <div class="entry-row">
          <Entry
            mode={mode}
            value={text}
            label={t('problem')}
            example={t('problem_example')}
            isInvalid={trouble !== null}
            describedBy={trouble === null ? undefined : troubleId}
            errorByte={trouble?.position ?? null}
            autoFocus={takesFocus}
            onInput={(value) => {
              setText(value);
              setTrouble(null);
            }}
            onEnter={(value) => void start(value)}
          />
          <button type="button" class="primary" disabled={text.trim() === ''} onClick={() => void start(text)}>
            {t('start')}
            <Icon name="arrow" />
          </button>
        </div>
        <div class="entry-tools">
          <ModeSwitch
            mode={mode}
            value={text}
            onChange={(chosen, value) => {
              setMode(chosen);
              prefer(chosen);
              setText(value);
            }}
          />
          {reading !== null && (
            <button type="button" class="quiet" onClick={() => void start(text, true)}>
              <Icon name="steps" />
              {t('solve_at_once')}
            </button>
          )}
        </div>
        {trouble === null ? (
          reading !== null && <UnderstoodAs reading={reading} />
        ) : (
          <p id={troubleId} class="trouble">
            <Icon name="warning" /> {trouble.message}
          </p>
        )}
      </div>
      <TourButton onTry={(problem) => void start(problem)} />
      <Examples onPick={(problem) => void start(problem)} />
      <CubeStart onRead={(read) => onOpen(exerciseOf(read))} />
      <History />
    </div>
  );
}

function TourButton({onTry}: {onTry: (problem: string) => void}) {
  const t = useText(learner);
  const [Tour, setTour] = useState<(typeof import('./tour'))['default'] | null>(null);
  const [isOpen, open] = useState(false);
  const show = (): void => {
    open(true);
    void import('./tour').then((module) => setTour(() => module.default), () => open(false));
  };
  if (isOpen && Tour !== null) return <Tour onTry={onTry} onClose={() => open(false)} />;
  return (
    <p class="tour-offer">
      <button type="button" class="quiet" disabled={isOpen} onClick={show}>
        <Icon name="play" />
        {t('tour')}
      </button>
    </p>
  );
}

/** How the engine reads a text, shortly after it was typed; null while it cannot. */
function useReading(text: string): Reading | null {
  const tutor = useTutor();
  const [reading, setReading] = useState<Reading | null>(null);
  useEffect(() => {
    if (text.trim() === '') {
      setReading(null);
      return;
    }
    let isCurrent = true;
    const timer = setTimeout(() => {
      tutor.read({text}).then(
        (answer) => isCurrent && setReading(answer),
        (error: unknown) => isCurrent && !isAbort(error) && setReading(null),
      );
    }, 200);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [tutor, text]);
  return reading;
}

function UnderstoodAs({reading}: {reading: Reading}) {
  const t = useText(learner);
  const domainName = useDomainName();
  return (
    <div class="understood" data-state={reading.state}>
      <span class="soft">{t('reading')}</span>
      <Formula text={reading.notation} mathml={reading.mathml} speech={reading.speech} />
      <span class="chip">{domainName(reading.domain)}</span>
      {reading.read_as !== null && <p class="soft">{t('read_as', {text: reading.read_as})}</p>}
    </div>
  );
}

const x = '<mi>x</mi>';
const minus = '<mo>−</mo>';
const examples = [
  {
    name: 'example_equation',
    problem: '2(x + 3) = 14',
    mathml: `<math><mn>2</mn><mo>(</mo>${x}<mo>+</mo><mn>3</mn><mo>)</mo><mo>=</mo><mn>14</mn></math>`,
  },
  {
    name: 'example_quadratic',
    problem: 'x^2 - 5x + 6 = 0',
    mathml: `<math><msup>${x}<mn>2</mn></msup>${minus}<mn>5</mn>${x}<mo>+</mo><mn>6</mn><mo>=</mo><mn>0</mn></math>`,
  },
  {
    name: 'example_fraction',
    problem: '1/2 + 1/3',
    mathml: '<math><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>+</mo><mfrac><mn>1</mn><mn>3</mn></mfrac></math>',
  },
  {name: 'example_percent', problem: '25% of 80', mathml: undefined},
  {name: 'example_sorting', problem: '[3, 1, 4, 2]', mathml: undefined},
  {name: 'example_cube', problem: "R U F'", mathml: undefined},
] as const;

function Examples({onPick}: {onPick: (problem: string) => void}) {
  const t = useText(learner);
  return (
    <section class="examples">
      <h2>{t('examples')}</h2>
      <ul>
        {examples.map(({name, problem, mathml}) => (
          <li key={name}>
            <button type="button" class="example" onClick={() => onPick(problem)}>
              <span class="soft">{t(name)}</span>
              <Formula text={problem} mathml={mathml} />
            </button>
          </li>
        ))}
      </ul>
      <a class="button" href={link('practice')}>
        <Icon name="target" />
        {t('practise_skills')}
      </a>
    </section>
  );
}

function History() {
  const t = useText(learner);
  const [past, setPast] = useState(pastExercises);
  if (past.length === 0) return null;
  return (
    <section class="history">
      <div class="row">
        <h2>{t('history')}</h2>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            forgetExercises();
            setPast([]);
          }}
        >
          {t('history_clear')}
        </button>
      </div>
      <ul>
        {past.map((exercise) => (
          <li key={workKeyOf(exercise)}>
            <a href={addressOf('solve', exercise)}>
              {recall(workKeyOf(exercise), readWork)?.isSolved === true && <Icon name="check" />}
              {exercise.picture?.kind === 'cube' ? t('scrambled') : <Formula text={exercise.notation} mathml={exercise.mathml} speech={exercise.speech} />}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
