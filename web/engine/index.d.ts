/**
 * conpole for JavaScript: solves, hints, checks and practises, in the browser or in Node, without a server.
 *
 * An engine answers one call at a time; further calls wait for their turn. Every answer is JSON, as the command line prints it
 * (`conpole solve --json`) and as `conpole serve` sends it.
 */

/** How far a search is. */
export interface Progress {
  expanded: number;
  beam: number;
  milliseconds: number;
}

export interface CallOptions {
  /** Ends the call: its promise is rejected with the signal's reason. What runs in a worker really stops. */
  signal?: AbortSignal;
  /** Called now and then while a search runs. */
  onProgress?: (progress: Progress) => void;
}

/** What all requests may have. */
export interface CommonRequest {
  /** A domain, as in "fractions" or "sorting:max_length=5", or the text of a domain file. Guessed from the text if it is not given. */
  domain?: string;
  /** Of all sentences, of words inside lines and of decimal signs: 'en', 'de', 'es' or 'fr'. */
  language?: string;
  /** How long a search may take; 5,000 if it is not given. */
  milliseconds?: number;
  /** How many states a search may expand. */
  expansions?: number;
  /** Uses the trained network also where a heuristic is enough. */
  policy?: boolean;
  /** Adds mathml, speech and picture to what people read. */
  markup?: boolean;
}

export type Picture =
  | { kind: 'bars'; values: number[]; moved?: number[] }
  | { kind: 'cube'; stickers: string; turn?: string }
  | { kind: 'fractions'; terms: { numerator: number | string; denominator: number | string; operator?: string }[] }
  | { kind: 'balance'; unknown: string; left: { unknowns: number; ones: number }; right: { unknowns: number; ones: number } }
  | { kind: 'grid'; rows: string[][]; colours: string[]; moved?: number[] };

/** Present where the request had `markup`. */
export interface Markup {
  /** The line as people read it in plain text. */
  notation?: string;
  /** A <math> element; of a step, with what it changed in <mrow class="changed">. */
  mathml?: string;
  speech?: string;
  picture?: Picture;
}

export type SolveStatus = 'solved' | 'no_solution' | 'every_number' | 'several_solutions' | 'unsolved';

export interface AxiomStep extends Markup {
  axiom: string;
  position: number | null;
  before: string;
  state: string;
  notation: string;
  text: string;
  before_mathml?: string;
}

/** What a step that can be taken and one that was taken have in common. */
export interface PossibleStep extends Markup {
  axiom: string;
  position: number | null;
  after: string;
  text: string;
  /** Why the step is allowed, in at most three lines. */
  why: string[];
  /** The line before, with what will change marked. */
  before_mathml?: string;
  /** Of the cube: the turn. */
  singmaster?: string;
}

export interface Step extends PossibleStep {
  before: string;
  axioms?: AxiomStep[] | null;
  axioms_domain?: string | null;
  axioms_note?: string | null;
}

export interface SolveRequest extends CommonRequest {
  problem: string;
  detail?: 'school' | 'why' | 'axioms' | 'both';
  method?: 'factoring' | 'square' | 'formula' | 'complex' | 'substitution' | 'elimination';
  moves?: 'quarter' | 'half';
  /** Whether the answer has a picture, `graph`. */
  graph?: boolean;
}
export interface Solution extends Markup {
  domain: string;
  problem: string;
  status: SolveStatus;
  answer: string | null;
  answer_mathml?: string;
  answer_speech?: string;
  /** null: it cannot be told. */
  verified: boolean | null;
  steps: Step[];
  expanded: number;
  milliseconds: number;
  /** The answer with its irrational numbers rounded: "x ≈ 1.4142". */
  decimals?: string;
  singmaster?: string;
  moves?: { quarter: number; half: number };
  except?: string[];
  except_irrational?: number;
  /** How the text was read, if others might read it in another way. */
  read_as: string | null;
  /** If it was asked for: both sides of an equation as curves, or the answer of an inequality on the number line (SVG); null if there is none. */
  graph?: string | null;
}

export interface HintRequest extends CommonRequest {
  line: string;
  level?: 1 | 2 | 3;
  /** What the learner wrote after that line: if it is right, the hint goes on from there; else it reminds of the mistake. */
  tried?: string;
  moves?: 'quarter' | 'half';
}
export interface Hint extends Markup {
  domain: string;
  state: string;
  level: number;
  status: SolveStatus;
  text: string;
  axiom: string | null;
  position: number | null;
  /** Of level 3. */
  line: string | null;
  /** The typical mistake in what was tried. */
  mistake: string | null;
  line_notation?: string;
  line_mathml?: string;
  line_speech?: string;
  line_picture?: Picture;
  before_mathml?: string;
  singmaster?: string;
  read_as: string | null;
}

export interface CheckRequest extends CommonRequest {
  problem: string;
  lines: string[];
}
export type LineVerdict = 'solved' | 'progress' | 'not_closer' | 'correct' | 'not_equivalent' | 'unreadable' | 'cannot_tell';

export interface CheckedLine extends Markup {
  domain: string;
  state: string;
  /** null: it cannot be read. */
  line: string | null;
  verdict: LineVerdict;
  correct: boolean | null;
  /** The same solutions or value; null: not known. */
  is_true: boolean | null;
  /** It follows from the line before, side by side. */
  is_step: boolean | null;
  helps: 'closer' | 'no_nearer' | 'away' | null;
  operation: 'rewritten' | 'added' | 'subtracted' | 'multiplied' | 'divided' | null;
  operand: string | null;
  detour: string | null;
  changes_solutions: boolean;
  side: 'left' | 'right' | null;
  text: string;
  position: number | null;
  mistake: string | null;
  /** A second mistake in the same line. */
  also: string | null;
  /** What to keep in mind after the mistake. */
  reminder: string | null;
  after_mistake: boolean;
  before_mathml?: string;
  /** Of the cube, if it was one turn. */
  singmaster?: string;
}
export interface Check extends Markup {
  domain: string;
  problem: string;
  correct: boolean | null;
  lines: CheckedLine[];
}

export interface NextRequest extends CommonRequest {
  line: string;
}
export interface NextStep extends PossibleStep {
  /** Of the policy; of all steps they add up to 1. */
  probability: number;
}
export interface NextSteps extends Markup {
  domain: string;
  state: string;
  solved: boolean;
  steps: NextStep[];
  read_as: string | null;
}

export interface ReadRequest extends CommonRequest {
  text: string;
}
export interface Reading extends Markup {
  domain: string;
  state: string;
  notation: string;
  read_as: string | null;
  solved: boolean;
  status: SolveStatus | null;
}

export interface ExerciseRequest extends CommonRequest {
  skill?: string;
  level?: number;
  seed?: number;
  /** A problem: the exercise is like it. */
  like?: string;
}
export interface Exercise extends Markup {
  domain: string;
  problem: string;
  notation: string;
  skill: string | null;
  level: number;
  seed: number;
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
  example_picture?: Picture;
}

export interface ProgressRequest extends CommonRequest {
  /** As it was returned before; {} at first. */
  progress: object;
  skill: string;
  level: number;
  solved_without_help: boolean;
}
export interface PracticeProgress {
  progress: object;
  in_a_row: number;
  needed: number;
  /** How likely it is that the level is known, from 0 to 1. */
  known: number;
  level_mastered: boolean;
  skill_mastered: boolean;
  next: { skill: string; level: number };
  message: string;
}

export interface EmbedRequest extends CommonRequest {
  problems: string[];
}
export interface Vectors {
  domain: string;
  model: string;
  /** As they were read. */
  problems: string[];
  vectors: number[][];
}

export interface SimilarRequest extends CommonRequest {
  problem: string;
  among?: string[];
  count?: number;
  seed?: number;
  k?: number;
}
export interface Similar extends Markup {
  domain: string;
  problem: string;
  notation: string;
  model: string;
  problems: number;
  similar: ({ problem: string; notation: string; latex: string; cosine: number } & Markup)[];
}

export interface MapRequest extends CommonRequest {
  problems: string[];
  /** Solves them all, and says how many steps that took. */
  steps?: boolean;
}
export interface MapPoint extends Markup {
  problem: string;
  notation: string;
  x: number;
  y: number;
  steps?: number;
}
export interface ProblemMap {
  domain: string;
  model: string;
  points: MapPoint[];
  /** The shares of the variance that the two axes explain. */
  explained: [number, number];
}

export interface TreeRequest extends CommonRequest {
  problem: string;
  beam?: number;
  max_steps?: number;
}
export interface TreeNode extends Markup {
  id: number;
  parent: number | null;
  depth: number;
  state: string;
  notation: string;
  label: string | null;
  text: string | null;
  score: number;
  probability: number;
  /** Whether it was kept in the beam. */
  chosen: boolean;
  on_solution: boolean;
  before_mathml?: string;
}
export interface SearchTree {
  domain: string;
  problem: string;
  nodes: TreeNode[];
  solved: boolean;
  /** Whether there is more than the answer may have, or than there was time for. */
  cut: boolean;
  read_as: string | null;
}

export interface DomainDescription {
  name: string;
  description: string;
  example: string;
  parameters: { name: string; meaning: string; default: string | number; low?: number; high?: number }[];
  axioms: { name: string; meaning: string }[];
  /** The file of its trained network. */
  model: string | null;
  subject: boolean;
}

export interface GenerateRequest extends CommonRequest {
  domain: string;
  seed: number;
}
export interface Generated extends Markup {
  domain: string;
  problem: string;
  notation: string;
  seed: number;
}

export interface ReportRequest extends CommonRequest {
  /** The text of a domain file (docs/domain-files.md). */
  domain: string;
}
/** What is wrong with a domain file, and how its problems behave. */
export interface DomainReport {
  name: string;
  ok: boolean;
  findings: { kind: 'error' | 'warning'; line: number; column: number; message: string }[];
  successors_per_state: number;
  searched: number;
  solved_by_search: number;
  mean_length: number;
  tests: number;
  tests_passed: number;
}

export interface Version {
  version: string;
  engine: 'native' | 'wasm';
  kernels: string;
}

/** The answer was a problem (RFC 9457): the request is wrong, or cannot be fulfilled. Its message is a sentence for people. */
export class ServiceProblem extends Error {
  /** As of HTTP: 400, 404, 413, 422, 424, 500 or 503. */
  status: number;
  type: string;
  title: string;
  /** The same as the message. */
  detail: string;
  /** The field of the request that is to blame. */
  field?: string;
  /** The byte in that field's text. */
  position?: number;
  understood?: string;
  /** The file of the model or language that is missing. */
  model?: string;
}

export interface Engine {
  /** Answers one request. Rejects with ServiceProblem, or with the signal's reason. */
  call<T = unknown>(operation: string, request?: object, options?: CallOptions): Promise<T>;

  solve(request: SolveRequest, options?: CallOptions): Promise<Solution>;
  hint(request: HintRequest, options?: CallOptions): Promise<Hint>;
  check(request: CheckRequest, options?: CallOptions): Promise<Check>;
  next(request: NextRequest, options?: CallOptions): Promise<NextSteps>;
  read(request: ReadRequest, options?: CallOptions): Promise<Reading>;
  exercise(request: ExerciseRequest, options?: CallOptions): Promise<Exercise>;
  skills(request?: CommonRequest, options?: CallOptions): Promise<{ skills: Skill[] }>;
  progress(request: ProgressRequest, options?: CallOptions): Promise<PracticeProgress>;
  embed(request: EmbedRequest, options?: CallOptions): Promise<Vectors>;
  similar(request: SimilarRequest, options?: CallOptions): Promise<Similar>;
  map(request: MapRequest, options?: CallOptions): Promise<ProblemMap>;
  tree(request: TreeRequest, options?: CallOptions): Promise<SearchTree>;
  domains(request?: CommonRequest, options?: CallOptions): Promise<{ domains: DomainDescription[] }>;
  generate(request: GenerateRequest, options?: CallOptions): Promise<Generated>;
  report(request: ReportRequest, options?: CallOptions): Promise<DomainReport>;
  version(request?: CommonRequest, options?: CallOptions): Promise<Version>;

  /** Ends it, and what it is doing. */
  close(): void;
}

export interface EngineOptions {
  /** Where conpole.wasm is, or the compiled module; beside this module if it is not given. In Node a path is fine. */
  wasm?: URL | string | WebAssembly.Module;
  /** Where conpole-rest.wasm is, the part of the engine that is fetched when a call needs it; beside `wasm` if it is not given. */
  rest?: URL | string;
  /** The folder of the models, which are fetched when a call needs them; models/ beside this module if it is not given. */
  models?: URL | string;
  /** The folder of the languages other than English, fetched likewise; languages/ beside this module if it is not given. */
  languages?: URL | string;
  /**
   * false: runs in this thread, where no call can be interrupted. An address: the worker's script, where a bundler has moved
   * worker.js away from beside this module.
   */
  worker?: boolean | URL | string;
}

export function createEngine(options?: EngineOptions): Promise<Engine>;
