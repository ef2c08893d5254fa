import {table} from './table';

export const practice = table('practice', {
  title: 'Practise',
  lead: 'Pick a skill. Three exercises in a row without help, and the next level opens.',
  equations: 'Equations',
  numbers: 'Numbers and fractions',
  puzzles: 'Puzzles',
  domains: 'Random problems, solved as the policy learned it',
  domains_lead: 'Every step is a single axiom. For those who want to see how the machine thinks.',
  level: 'Level {n}',
  level_mastered: 'Level {n}, mastered',
  levels_of: '{done} of {all} {all|level|levels}',
  all_skills: 'All skills',
  in_a_row: '{n} of {needed} in a row',
  next_exercise: 'Next exercise',
  skip: 'Another exercise',
  failed: 'The skills could not be loaded: {text}',
});
