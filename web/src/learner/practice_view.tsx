// Practice: skills with their levels, and the exercises of the one that was chosen. Where the learner is stands in the route
// (#/practice/brackets/2, or #/practice/in/equations for a domain), the exercise and the progress in this browser.

import {useEffect, useState} from 'preact/hooks';
import {useTutor} from '../engine/context';
import {messageOf} from '../engine/engine';
import type {Skill} from '../engine/wire';
import {LogCard} from '../export/log_card';
import {practice} from '../i18n/practice';
import {Icon} from '../parts/icon';
import {Failed, Interim} from '../parts/interim';
import {link} from '../router';
import {useText} from '../state/settings';
import type {ViewProps} from '../views';
import {DomainList, DomainSession} from './domain_practice';
import {useDomainName} from './domains';
import {PracticeSession} from './practice_session';
import {recallProgress} from './progress';
import {SkillCard} from './skill_card';

export default function PracticeView({rest}: ViewProps) {
  const t = useText(practice);
  const {skills, failure} = useSkills();
  const domainName = useDomainName();
  const [name, level = ''] = rest.split('/');
  const skill = skills?.find((candidate) => candidate.name === name);
  if (failure !== null) return <Failed title={t('title')} reason={t('failed', {text: failure})} />;
  if (skills === null) return <Interim title={t('title')} />;
  if (name === 'in' && level !== '') {
    return (
      <>
        <Head title={domainName(level)} />
        <DomainSession key={level} domain={level} />
      </>
    );
  }
  if (skill === undefined) return <SkillList skills={skills} />;
  const wanted = Number(level);
  const from = Number.isInteger(wanted) && wanted >= 1 && wanted <= skill.levels ? wanted : 1;
  return (
    <>
      <Head title={skill.title} />
      <PracticeSession key={`${skill.name} ${from}`} skill={skill} level={from} />
    </>
  );
}

function Head({title}: {title: string}) {
  const t = useText(practice);
  return (
    <div class="view-head">
      <h1 class="visually-hidden">{title}</h1>
      <a class="button quiet" href={link('practice')}>
        <Icon name="back" />
        {t('all_skills')}
      </a>
    </div>
  );
}

function useSkills(): {skills: Skill[] | null; failure: string | null} {
  const tutor = useTutor();
  const [skills, setSkills] = useState<Skill[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    tutor.skills().then(
      (answer) => isCurrent && setSkills(answer.skills),
      (error: unknown) => isCurrent && setFailure(messageOf(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [tutor]);
  return {skills, failure};
}

const puzzles = new Set(['sorting', 'ternary-addition', 'rubiks-cube']);

type Group = 'equations' | 'numbers' | 'puzzles';

function groupOf(skill: Skill): Group {
  if (puzzles.has(skill.domain)) return 'puzzles';
  return skill.example.includes('=') ? 'equations' : 'numbers';
}

function SkillList({skills}: {skills: readonly Skill[]}) {
  const t = useText(practice);
  const progress = recallProgress();
  const groups: readonly Group[] = ['equations', 'numbers', 'puzzles'];
  return (
    <div class="practice">
      <h1>{t('title')}</h1>
      <p class="lead">{t('lead')}</p>
      {groups.map((group) => (
        <section key={group}>
          <h2>{t(group)}</h2>
          <ul class="skills">
            {skills
              .filter((skill) => groupOf(skill) === group)
              .map((skill) => (
                <SkillCard key={skill.name} skill={skill} mastered={progress[skill.name]?.levels_mastered ?? 0} />
              ))}
          </ul>
        </section>
      ))}
      <DomainList />
      <LogCard />
    </div>
  );
}
