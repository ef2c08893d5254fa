// A worksheet as it is printed: exercises with room for work, and the solutions with their steps on pages of their own.

import type {Solution} from '../engine/wire';
import {teacher} from '../i18n/teacher';
import {Formula} from '../parts/formula';
import {Said} from '../parts/said';
import {Picture} from '../pictures/picture';
import {useText} from '../state/settings';
import {taskOf} from './draft';
import {ExerciseLine} from './exercise_line';
import type {ShownExercise} from './exercises';

export type Room = 'small' | 'medium' | 'large';
export type Paper = 'a4' | 'letter';
export type SheetPart = 'exercises' | 'solutions';

interface WorksheetProps {
  title: string;
  exercises: readonly ShownExercise[];
  solutions: readonly (Solution | null | undefined)[]; // null: none was found; undefined: not yet asked for
  parts: readonly SheetPart[];
  room: Room;
  columns: number;
  paper: Paper;
}

export function Worksheet({title, exercises, solutions, parts, room, columns, paper}: WorksheetProps) {
  const t = useText(teacher);
  return (
    <div class={`worksheet paper-${paper}`} aria-hidden="true">
      {parts.includes('exercises') && (
        <section class="worksheet-part">
          <header class="worksheet-head">
            <p class="worksheet-title">{title}</p>
            <p class="worksheet-line">{t('name')}</p>
            <p class="worksheet-line short">{t('date')}</p>
          </header>
          <ol class={`worksheet-exercises room-${room} columns-${columns}`}>
            {exercises.map((exercise, index) => (
              <li class="worksheet-item" key={index}>
                <p class="worksheet-task">{t(taskOf(exercise.domain, exercise.problem))}</p>
                <Line exercise={exercise} />
                <div class="worksheet-room" />
              </li>
            ))}
          </ol>
        </section>
      )}
      {parts.includes('solutions') && (
        <section class="worksheet-part">
          <header class="worksheet-head">
            <p class="worksheet-title">
              {t('solutions')}: {title}
            </p>
          </header>
          <ol class="worksheet-solutions">
            {exercises.map((exercise, index) => (
              <li class="worksheet-item" key={index}>
                <SheetSolution exercise={exercise} solution={solutions[index]} />
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

function Line({exercise}: {exercise: ShownExercise}) {
  return (
    <div class="worksheet-formula">
      <ExerciseLine exercise={exercise} />
      {exercise.picture?.kind === 'bars' && <Picture picture={exercise.picture} />}
    </div>
  );
}

function SheetSolution({exercise, solution}: {exercise: ShownExercise; solution: Solution | null | undefined}) {
  const t = useText(teacher);
  if (solution == null || solution.status === 'unsolved') {
    return (
      <>
        <Line exercise={exercise} />
        <p class="worksheet-text">{t(solution === undefined ? 'not_solved_yet' : 'no_steps')}</p>
      </>
    );
  }
  if (solution.singmaster !== undefined) {
    return (
      <>
        <Line exercise={exercise} />
        <p class="worksheet-formula">{solution.singmaster}</p>
      </>
    );
  }
  return (
    <table class="worksheet-steps">
      <tbody>
        <tr>
          <td>
            <Formula text={exercise.notation} mathml={exercise.mathml} />
          </td>
          <td />
        </tr>
        {solution.steps.map((step, index) => (
          <tr key={index}>
            <td>
              <Formula text={step.notation ?? step.after} mathml={step.mathml} />
            </td>
            <td class="worksheet-text">
              <Said text={step.text} />
            </td>
          </tr>
        ))}
        {solution.steps.length === 0 && solution.answer !== null && (
          <tr>
            <td>{solution.answer}</td>
            <td />
          </tr>
        )}
      </tbody>
    </table>
  );
}
