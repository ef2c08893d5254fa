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
  /** A domain, as in "fractions" or "sorting:max_length=5". Guessed from the text if it is not given. */
  domain?: string;
  language?: 'en' | 'de';
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
  | { kind: 'fractions'; terms: { numerator: number | string; denominator: number | string; operator?: string }[] };

/** Present where the request had `markup`. */
export interface Markup {
  mathml?: string;
  speech?: string;
  picture?: Picture;
}

export type SolveStatus = string;

export interface AxiomStep extends Markup {
  axiom: string;
  position: number | null;
  before: string;
  state: string;
  notation: string;
  text: string;
}

export interface Step extends Markup {
  axiom: string;
  position: number | null;
  before: string;
  after: string;
  text: string;
  before_mathml?: string;
  singmaster?: string;
  axioms?: AxiomStep[] | null;
  axioms_domain?: string | null;
  axioms_note?: string | null;
}

export interface SolveRequest extends CommonRequest {
  problem: string;
  detail?: 'school' | 'axioms' | 'both';
  moves?: 'quarter' | 'half';
}
export interface Solution extends Markup {
  domain: string;
  problem: string;
  status: SolveStatus;
  answer: string | null;
  /** null: it cannot be told. */
  verified: boolean | null;
  steps: Step[];
  expanded: number;
  milliseconds: number;
  singmaster?: string;
  moves?: { quarter: number; half: number };
  except?: string[];
  except_irrational?: number;
  read_as?: string | null;
}

export interface HintRequest extends CommonRequest {
  line: string;
  level?: 1 | 2 | 3;
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
  line: string | null;
  singmaster?: string;
}

export interface CheckRequest extends CommonRequest {
  problem: string;
  lines: string[];
}
export interface CheckedLine extends Markup {
  domain: string;
  state: string;
  line: string | null;
  verdict: string;
  correct: boolean;
  changes_solutions: boolean;
  side: 'left' | 'right' | null;
  text: string;
  position: number | null;
  mistake: string | null;
  after_mistake: boolean;
  singmaster?: string;
}
export interface Check {
  domain: string;
  problem: string;
  correct: boolean;
  lines: CheckedLine[];
}

export interface NextRequest extends CommonRequest {
  line: string;
}
export interface NextSteps {
  domain: string;
  state: string;
  solved: boolean;
  steps: (Omit<Step, 'before'> & { probability: number })[];
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

export interface Skill extends Markup {
  name: string;
  title: string;
  domain: string;
  levels: number;
  example: string;
  example_notation: string;
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
}
export interface ProblemMap {
  domain: string;
  model: string;
  points: ({ problem: string; notation: string; x: number; y: number; steps?: number } & Markup)[];
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
  chosen: boolean;
  on_solution: boolean;
}
export interface SearchTree {
  domain: string;
  problem: string;
  nodes: TreeNode[];
  solved: boolean;
  cut: boolean;
}

export interface DomainDescription {
  name: string;
  description: string;
  example: string;
  parameters: { name: string; meaning: string; default: string; [key: string]: unknown }[];
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
  /** The file of the model that is missing. */
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
  version(request?: CommonRequest, options?: CallOptions): Promise<Version>;

  /** Ends it, and what it is doing. */
  close(): void;
}

export interface EngineOptions {
  /** Where conpole.wasm is, or the compiled module; beside this module if it is not given. In Node a path is fine. */
  wasm?: URL | string | WebAssembly.Module;
  /** The folder of the models, which are fetched when a call needs them; models/ beside this module if it is not given. */
  models?: URL | string;
  /**
   * false: runs in this thread, where no call can be interrupted. An address: the worker's script, where a bundler has moved
   * worker.js away from beside this module.
   */
  worker?: boolean | URL | string;
}

export function createEngine(options?: EngineOptions): Promise<Engine>;
