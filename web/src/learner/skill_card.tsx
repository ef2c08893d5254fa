// A skill with an example and its levels; every level can be chosen, those that are mastered have a tick.

import type {Skill} from '../engine/wire';
import {practice} from '../i18n/practice';
import {Formula} from '../parts/formula';
import {Icon} from '../parts/icon';
import {link} from '../router';
import {useText} from '../state/settings';

export function capitalised(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

export function SkillCard({skill, mastered}: {skill: Skill; mastered: number}) {
  const t = useText(practice);
  const levels = Array.from({length: skill.levels}, (_, index) => index + 1);
  const next = Math.min(mastered + 1, skill.levels);
  return (
    <li class="card skill" data-skill={skill.name}>
      <h3>
        <a href={link('practice', `${skill.name}/${next}`)}>{capitalised(skill.title)}</a>
      </h3>
      {skill.domain !== 'rubiks-cube' && (
        <Formula text={skill.example_notation} mathml={skill.example_mathml} speech={skill.example_speech} />
      )}
      <ul class="levels" aria-label={t('levels_of', {done: mastered, all: skill.levels})}>
        {levels.map((level) => (
          <li key={level}>
            <a
              class={level <= mastered ? 'level done' : 'level'}
              href={link('practice', `${skill.name}/${level}`)}
              aria-label={t(level <= mastered ? 'level_mastered' : 'level', {n: level})}
            >
              {level <= mastered ? <Icon name="check" /> : level}
            </a>
          </li>
        ))}
      </ul>
    </li>
  );
}
