// Exercises of a skill, one after another. The engine counts how many were solved in a row and says what comes next.

import {useEffect, useState} from 'preact/hooks';
import {useTutor} from '../engine/context';
import {messageOf} from '../engine/engine';
import type {Exercise, Progress, Skill} from '../engine/wire';
import {practice} from '../i18n/practice';
import {useAnnounce} from '../parts/announcer';
import {Icon} from '../parts/icon';
import {link} from '../router';
import {useText} from '../state/settings';
import {forget, recall, remember} from '../state/storage';
import {useLog} from './log';
import {readPractising, readProgress, recallProgress, rememberProgress, type Practising} from './progress';
import {capitalised} from './skill_card';
import {randomSeed} from './use_another';
import {Workbench} from './workbench';

const practisingKey = 'practice.current';
const workKey = 'practice.work';

function begun(skill: string, level: number, seed: number): Practising {
  return {skill, level, seed, isCounted: false};
}

export function PracticeSession({skill, level}: {skill: Skill; level: number}) {
  const t = useText(practice);
  const tutor = useTutor();
  const announce = useAnnounce();
  const log = useLog();
  const [current, setCurrent] = useState<Practising>(() => {
    const kept = recall(practisingKey, readPractising);
    return kept !== undefined && kept.skill === skill.name && kept.level === level ? kept : begun(skill.name, level, randomSeed());
  });
  // With what it was asked for, so that no exercise stands for a moment where the next one belongs.
  const [answered, setAnswered] = useState<{to: Practising; exercise: Exercise} | null>(null);
  const [counted, setCounted] = useState<Progress | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const row = recallProgress()[skill.name];

  useEffect(() => {
    let isCurrent = true;
    setCounted(null);
    remember(practisingKey, current);
    tutor.exercise({skill: current.skill, level: current.level, seed: current.seed}).then(
      (answer) => isCurrent && setAnswered({to: current, exercise: answer}),
      (error: unknown) => isCurrent && setFailure(messageOf(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [tutor, current]);

  const count = async (isFlawless: boolean): Promise<void> => {
    if (recall(practisingKey, readPractising)?.isCounted === true) return;
    remember(practisingKey, {...current, isCounted: true});
    const answer = await tutor.progress({progress: {...recallProgress()}, skill: skill.name, level, solved_without_help: isFlawless});
    rememberProgress(readProgress(answer.progress) ?? {});
    setCounted(answer);
    announce(answer.message);
  };

  const goOn = (): void => {
    forget(workKey);
    if (counted !== null && (counted.next.skill !== skill.name || counted.next.level !== level)) {
      location.hash = link('practice', `${counted.next.skill}/${counted.next.level}`);
    } else {
      setCurrent(begun(skill.name, level, current.seed + 1));
    }
  };

  const exercise = answered?.to === current ? answered.exercise : null;
  const inARow = counted?.in_a_row ?? (row !== undefined && row.level === level ? row.in_a_row : 0);
  return (
    <>
      <div class="session-head">
        <p class="chip">{t('level', {n: level})}</p>
        <Row count={counted?.level_mastered === true ? 3 : inARow} needed={counted?.needed ?? 3} />
        <button type="button" class="quiet" onClick={goOn}>
          <Icon name="dice" />
          {t('skip')}
        </button>
      </div>
      {counted !== null && <p class={counted.level_mastered ? 'message mastered' : 'message'}>{counted.message}</p>}
      {failure !== null && <p class="failure">{failure}</p>}
      {exercise !== null && (
        <Workbench
          key={`${exercise.problem} ${current.seed}`}
          exercise={exercise}
          storageKey={workKey}
          title={capitalised(skill.title)}
          next={{label: t('next_exercise'), go: goOn}}
          onSolved={({isFlawless}) => void count(isFlawless)}
          onEvent={log}
        />
      )}
    </>
  );
}

function Row({count, needed}: {count: number; needed: number}) {
  const t = useText(practice);
  return (
    <span class="in-a-row" role="img" aria-label={t('in_a_row', {n: count, needed})}>
      {Array.from({length: needed}, (_, index) => (
        <span key={index} class={index < count ? 'dot done' : 'dot'} />
      ))}
    </span>
  );
}
