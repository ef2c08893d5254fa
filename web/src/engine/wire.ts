// What the engine answers: the types of its package, under the names that the page has for them, and what the page makes of them.

import type {Exercise as GivenExercise, Markup, ServiceProblem} from '../../engine/index.js';

export type {
  AxiomStep as Axiom,
  Check,
  CheckedLine,
  DomainDescription as DomainInfo,
  DomainReport,
  Hint,
  LineVerdict as Verdict,
  MapPoint,
  Markup,
  NextStep,
  NextSteps,
  Picture,
  PossibleStep,
  PracticeProgress as Progress,
  ProblemMap,
  Reading,
  SearchTree,
  Skill,
  Solution,
  SolveStatus as Status,
  Step,
  TreeNode,
} from '../../engine/index.js';

/** A problem to work on, whether the engine gave it or somebody typed it. */
export interface Exercise extends Markup, Partial<Pick<GivenExercise, 'level' | 'seed' | 'skill'>> {
  domain: string;
  problem: string;
  notation: string;
  read_as?: string | null;
  solved?: boolean; // It needs no work.
}

/** An error answer (RFC 9457). */
export type Problem = Pick<ServiceProblem, 'type' | 'title' | 'status' | 'detail' | 'field' | 'position' | 'understood'>;
