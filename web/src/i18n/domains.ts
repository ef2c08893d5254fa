import {table} from './table';

export const domainNames = table(
  {
    algebra: 'School algebra',
    equations: 'Equations by axioms',
    fractions: 'Fractions by axioms',
    multiplication: 'Multiplication',
    sorting: 'Sorting bars',
    'ternary-addition': 'Ternary addition',
    'rubiks-cube': "Rubik's cube",
  },
  {
    algebra: 'Schulalgebra',
    equations: 'Gleichungen mit Axiomen',
    fractions: 'Brüche mit Axiomen',
    multiplication: 'Multiplikation',
    sorting: 'Balken sortieren',
    'ternary-addition': 'Ternäre Addition',
    'rubiks-cube': 'Zauberwürfel',
  },
);
