// What the engine is asked and what it answers: the JSON of the command line and of the server.

/** How a line is shown: comes with every line that people read. */
export interface Markup {
  notation?: string;
  mathml?: string;
  speech?: string;
  picture?: Picture;
}

export type Picture =
  | {kind: 'bars'; values: number[]; moved?: number[]}
  | {kind: 'cube'; stickers: string; turn?: string}
  | {kind: 'fractions'; terms: {numerator: number | string; denominator: number | string; operator?: string}[]};

export interface Axiom extends Markup {
  axiom: string;
  position: number | null;
  before: string;
  after: string;
  text: string;
  before_mathml?: string;
}

export interface Step extends Axiom {
  singmaster?: string;
  axioms?: Axiom[];
  axioms_domain?: string;
  axioms_note?: string | null;
}

export type Status = 'solved' | 'no_solution' | 'every_number' | 'several_solutions' | 'unsolved';

export interface Solution extends Markup {
  domain: string;
  problem: string;
  status: Status;
  answer: string | null;
  answer_mathml?: string;
  answer_speech?: string;
  verified: boolean | null;
  steps: Step[];
  expanded: number;
  milliseconds: number;
  read_as: string | null;
  singmaster?: string;
  moves?: string;
}

export interface Hint extends Markup {
  domain: string;
  state: string;
  level: number;
  status: Status;
  text: string;
  axiom?: string;
  position?: number | null;
  line?: string | null;
  line_notation?: string;
  line_mathml?: string;
  line_speech?: string;
  read_as: string | null;
}

export type Verdict = 'solved' | 'progress' | 'not_closer' | 'correct' | 'not_equivalent' | 'unreadable' | 'cannot_tell';

export interface CheckedLine extends Markup {
  domain: string;
  state: string;
  line: string;
  verdict: Verdict;
  correct: boolean | null;
  changes_solutions: boolean;
  side: 'left' | 'right' | null;
  text: string;
  position: number | null;
  mistake: string | null;
  singmaster?: string; // of the cube, if it was one turn
  before_mathml?: string;
  after_mistake: boolean;
}

export interface Check {
  domain?: string;
  problem?: string;
  correct: boolean | null;
  lines: CheckedLine[];
}

export interface NextStep extends Axiom {
  singmaster?: string; // of the cube: the turn
  probability: number;
}

export interface NextSteps extends Markup {
  domain: string;
  state: string;
  solved: boolean;
  steps: NextStep[];
  read_as: string | null;
}

export interface Reading extends Markup {
  domain: string;
  state: string;
  notation: string;
  read_as: string | null;
  solved: boolean;
  status?: Status | null; // if it is known before any step
}

export interface Exercise extends Markup {
  domain: string;
  problem: string;
  notation: string;
  skill?: string | null;
  level?: number | null;
  seed?: number | null;
  read_as?: string | null;
  solved?: boolean; // It needs no work.
}

export interface Skill {
  name: string;
  title: string;
  domain: string;
  levels: number;
  example: string;
  example_notation: string;
  example_mathml?: string;
  example_speech?: string;
}

export interface DomainInfo {
  name: string;
  description: string;
  example: string;
  model: string | null;
  subject: boolean;
}

export interface Progress {
  progress: Record<string, unknown>;
  in_a_row: number;
  needed: number;
  level_mastered: boolean;
  skill_mastered: boolean;
  next: {skill: string; level: number};
  message: string;
}

/** An error answer (RFC 9457). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  field?: string;
  position?: number;
  understood?: string;
}
