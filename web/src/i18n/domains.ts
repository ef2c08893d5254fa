import {table} from './table';

export const domainNames = table('domains', {
  algebra: 'School algebra',
  equations: 'Equations by axioms',
  fractions: 'Fractions by axioms',
  multiplication: 'Multiplication',
  sorting: 'Sorting bars',
  'ternary-addition': 'Ternary addition',
  'rubiks-cube': "Rubik's cube",
});
