// The views of the page. Each is a module of its own, fetched when it is first opened (and by the service worker before that).

import type {FunctionComponent} from 'preact';
import type {Route} from './router';

export interface ViewProps extends Route {}

export interface View {
  name: 'solve' | 'practice' | 'teach' | 'set' | 'class' | 'results' | 'research' | 'playground' | 'runs' | 'about' | 'people';
  route: string;
  more?: readonly string[]; // routes that lead there, too
  inNavigation: boolean;
  load: () => Promise<{default: FunctionComponent<ViewProps>}>;
}

export const views: readonly View[] = [
  {name: 'solve', route: '', more: ['solve', 'solution'], inNavigation: true, load: () => import('./learner/learner_view')},
  {name: 'practice', route: 'practice', inNavigation: true, load: () => import('./learner/practice_view')},
  {name: 'teach', route: 'teach', inNavigation: true, load: () => import('./teacher/teacher_view')},
  {name: 'set', route: 'set', inNavigation: false, load: () => import('./teacher/set_view')},
  {name: 'class', route: 'class', inNavigation: false, load: () => import('./classroom/class_view')},
  {name: 'results', route: 'results', inNavigation: false, load: () => import('./classroom/results_view')},
  {name: 'research', route: 'research', inNavigation: true, load: () => import('./research/research_view')},
  {name: 'playground', route: 'playground', inNavigation: true, load: () => import('./playground/playground_view')},
  {name: 'runs', route: 'runs', inNavigation: false, load: () => import('./runs/runs_view')},
  {name: 'about', route: 'about', inNavigation: false, load: () => import('./about_view')},
  {name: 'people', route: 'people', inNavigation: false, load: () => import('./people_view')},
];
