import {table} from './table';

export const about = table('about', {
  title: 'About conpole',
  what: 'conpole taught itself to solve equations, fractions and puzzles step by step, by Contrastive Policy Learning (Poesia, Dong and Goodman, NeurIPS 2021). Here it checks your lines, names typical errors, gives hints and shows solutions that were verified by other means than the steps.',
  privacy_title: 'What leaves your device',
  privacy: 'Nothing. The solver is a program that your browser runs. What you type and your progress stay in this browser; there are no cookies, no tracking and no other servers. After the first visit the page works without a network.',
  keyboard_title: 'With the keyboard',
  keyboard: 'Enter checks a line. Alt+H gives a hint, Alt+U takes the last line back, Alt+S shows the next step of the solution, Alt+T changes between formula and text. Everything else is reached with Tab.',
  licences_title: 'Licences',
  licences: 'conpole: Apache License 2.0. Formulas are shown in glyphs of STIX Two Math (SIL Open Font License 1.1) and entered with MathLive (MIT); the page is drawn by Preact (MIT).',
});
