// The page as a course of a learning platform: the one set that it was packed with, and nothing else. What is done is told to the
// platform, which also keeps it for the next visit; in this browser nothing stays.

import {useEffect, useRef, useState} from 'preact/hooks';
import {Preferences} from '../app';
import {useTutor} from '../engine/context';
import {messageOf, type Tutor} from '../engine/engine';
import {platform} from '../i18n/platform';
import {begin, judged, type Work} from '../learner/work';
import type {WorkEvent} from '../learner/work_event';
import {Announcer} from '../parts/announcer';
import {Icon} from '../parts/icon';
import {Failed, Interim} from '../parts/interim';
import {crc32, readSet, type ExerciseSet} from '../share';
import {readSettings, useSettings, useText} from '../state/settings';
import {forget, leaveNothing, recall, remember} from '../state/storage';
import {resolveItem, type ShownExercise} from '../teacher/exercises';
import {Exercises} from '../teacher/set_view';
import {isAlone, newCourse, resumed, withEvent, type Course, type CourseWork} from './course';
import {findApi, ScormSession} from './scorm';

export default function CourseView({fragment}: {fragment: string}) {
  const t = useText(platform);
  return (
    <Announcer>
      <header class="page-header">
        <span class="wordmark">
          <Icon name="logo" />
          <span>conpole</span>
        </span>
        <Preferences />
      </header>
      <main id="main" tabIndex={-1}>
        <CourseOf fragment={fragment} />
      </main>
      <footer class="page-footer">
        <span>
          <Icon name="lock" /> {t('privacy')}
        </span>
      </footer>
    </Announcer>
  );
}

interface Opened {
  set: ExerciseSet;
  session: ScormSession | null; // null: there is no platform
  learner: string;
  isReported: boolean;
}

function CourseOf({fragment}: {fragment: string}) {
  const t = useText(platform);
  const tutor = useTutor();
  const {change} = useSettings();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const course = useRef<Course>(newCourse);
  const began = useRef(new Map<number, number>());
  const name = `course.${crc32(new TextEncoder().encode(fragment)).toString(16)}`;

  useEffect(() => {
    leaveNothing();
    const open = async (): Promise<Opened> => {
      const read = await readSet(fragment);
      if (!read.ok || read.set.items.length === 0) throw new Error(t('no_set'));
      const {set} = read;
      if (recall('settings', readSettings)?.language === undefined) change({language: set.language});
      const exercises: ShownExercise[] = [];
      for (const item of set.items) exercises.push(await resolveItem(tutor, item));
      const api = findApi(window);
      const session = api === null ? null : new ScormSession(api, exercises.map((exercise) => exercise.notation), setTrouble);
      const begun = session?.begin();
      course.current = resumed(begun?.kept ?? '', exercises.length);
      await lay(tutor, name, exercises, course.current);
      return {set, session, learner: begun?.learner ?? '', isReported: begun?.isReported ?? false};
    };
    open().then(setOpened, (error: unknown) => setFailure(messageOf(error)));
  }, []);

  const count = opened?.set.items.length ?? 0;
  useEffect(() => {
    if (opened === null) return;
    const {session} = opened;
    session?.report(course.current, null);
    const leave = (): void => {
      session?.end(course.current);
      for (let index = 0; index < count; ++index) forget(`${name}.${index}`);
      forget(name);
    };
    addEventListener('pagehide', leave);
    return () => removeEventListener('pagehide', leave);
  }, [opened]);

  if (failure !== null) return <Failed title={t('untitled')} reason={failure} />;
  if (opened === null) return <Interim title={t('untitled')} />;
  const tell = (index: number, event: WorkEvent): void => {
    const start = began.current.get(index) ?? Date.now() - 1000 * (course.current.work[index]?.seconds ?? 0);
    began.current.set(index, start);
    course.current = withEvent(course.current, index, event, (Date.now() - start) / 1000);
    opened.session?.report(course.current, index);
  };
  return (
    <>
      {trouble !== null && (
        <p class="notice" role="alert">
          {t('not_taken', {error: trouble})}
        </p>
      )}
      <p class="fine" role="status">
        {opened.session === null ? t('no_platform') : opened.isReported ? t('reported', {name: opened.learner}) : t('only_looking')}
      </p>
      <Exercises set={opened.set} name={name} onWork={tell} />
    </>
  );
}

/** Lays out the work of an earlier visit as the page keeps work. The engine judges its lines again. */
async function lay(tutor: Tutor, name: string, exercises: readonly ShownExercise[], course: Course): Promise<void> {
  const done: Record<number, 'alone' | 'helped'> = {};
  for (const [index, exercise] of exercises.entries()) {
    const kept = course.work[index];
    if (kept?.isSolved === true) done[index] = isAlone(kept) ? 'alone' : 'helped';
    if (kept === undefined) forget(`${name}.${index}`);
    else remember(`${name}.${index}`, await workOf(tutor, exercise, kept));
  }
  remember(name, {current: course.current, done});
}

async function workOf(tutor: Tutor, exercise: ShownExercise, kept: CourseWork): Promise<Work> {
  const {problem, domain} = exercise;
  const checked = kept.lines.length === 0 ? [] : (await tutor.check({problem, domain, lines: kept.lines})).lines;
  const work = checked.reduce((before, line, index) => judged(before, kept.lines[index] ?? '', line), begin(exercise));
  return {...work, hintsTaken: kept.hints, wrongLines: kept.wrong, wasShownSolution: kept.wasShownSolution, isSolved: kept.isSolved};
}
