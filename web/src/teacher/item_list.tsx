// The exercises of a draft in order, with what can be done to each.

import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {useTutor} from '../engine/context';
import type {Skill} from '../engine/wire';
import {teacher} from '../i18n/teacher';
import {useDomainName} from '../learner/domains';
import {Icon, type IconName} from '../parts/icon';
import {isSkillItem} from '../share';
import {useText} from '../state/settings';
import type {Draft} from './draft';
import {ExerciseLine} from './exercise_line';
import type {Resolved} from './exercises';

interface ItemListProps {
  draft: Draft;
  exercises: readonly Resolved[];
  onMove: (from: number, to: number) => void;
  onRemove: (index: number) => void;
  onAnother: (index: number) => void;
}

type Action = 'up' | 'down' | 'another' | 'remove';
const icons: Record<Action, IconName> = {up: 'up', down: 'down', another: 'dice', remove: 'trash'};

export function ItemList({draft, exercises, onMove, onRemove, onAnother}: ItemListProps) {
  const t = useText(teacher);
  const skills = useSkills();
  const domainName = useDomainName();
  const list = useRef<HTMLOListElement>(null);
  const focus = useRef<{index: number; action: Action} | null>(null); // where the focus goes after the next change
  const last = draft.items.length - 1;

  useLayoutEffect(() => {
    if (focus.current === null) return;
    const {index, action} = focus.current;
    focus.current = null;
    const buttons = list.current?.children[index]?.querySelectorAll<HTMLButtonElement>('button') ?? [];
    const wanted = [...buttons].find((button) => button.dataset.action === action && !button.disabled);
    (wanted ?? [...buttons].find((button) => !button.disabled) ?? list.current)?.focus();
  }, [draft.items]);

  const act = (index: number, action: Action): void => {
    if (action === 'up' || action === 'down') {
      const to = action === 'up' ? index - 1 : index + 1;
      focus.current = {index: to, action};
      onMove(index, to);
    } else if (action === 'remove') {
      focus.current = {index: Math.min(index, last - 1), action};
      onRemove(index);
    } else {
      focus.current = {index, action};
      onAnother(index);
    }
  };

  if (draft.items.length === 0) return <p class="empty">{t('empty')}</p>;
  return (
    <ol class="item-list" ref={list} tabIndex={-1} aria-label={t('exercises')}>
      {draft.items.map(({key, item}, index) => {
        const resolved = exercises[index] ?? {state: 'loading'};
        const actions: Action[] = isSkillItem(item) ? ['up', 'down', 'another', 'remove'] : ['up', 'down', 'remove'];
        const title = isSkillItem(item) ? (skills.get(item.skill)?.title ?? item.skill) : domainName(item.domain);
        return (
          <li key={key} class="item">
            <div class="item-body">
              {resolved.state === 'loading' && <span class="loading">{t('loading')}</span>}
              {resolved.state === 'failed' && <span class="wrong">{t('item_failed', {message: resolved.message})}</span>}
              {resolved.state === 'ready' && <ExerciseLine exercise={resolved.exercise} />}
              <span class="chip">{isSkillItem(item) ? t('skill_level', {skill: title, level: item.level}) : title}</span>
            </div>
            <div class="item-actions">
              {actions.map((action) => {
                const name = t('item_action', {action: t(action), number: index + 1});
                const isOff = (action === 'up' && index === 0) || (action === 'down' && index === last);
                return (
                  <button
                    type="button"
                    class="quiet icon-only"
                    key={action}
                    data-action={action}
                    aria-label={name}
                    title={t(action)}
                    disabled={isOff}
                    onClick={() => act(index, action)}
                  >
                    <Icon name={icons[action]} />
                  </button>
                );
              })}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** The skills by their names; none until they are known. */
export function useSkills(): ReadonlyMap<string, Skill> {
  const tutor = useTutor();
  const [skills, setSkills] = useState<ReadonlyMap<string, Skill>>(new Map());
  useEffect(() => {
    let isCurrent = true;
    tutor.skills().then(
      (answer) => isCurrent && setSkills(new Map(answer.skills.map((skill) => [skill.name, skill]))),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [tutor]);
  return skills;
}
