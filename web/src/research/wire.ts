// What the engine answers to researchers, beside the operations that everybody uses.

import type {Markup} from '../engine/wire';

export interface TreeNode extends Markup {
  id: number;
  parent: number | null;
  depth: number;
  state: string;
  notation: string;
  label: string | null;
  text: string | null;
  score: number | null;
  probability: number | null;
  /** Whether it was kept in the beam. */
  chosen: boolean;
  on_solution: boolean;
}

export interface SearchTree {
  nodes: TreeNode[];
  solved: boolean;
  /** Whether there were more nodes than the answer may have. */
  cut: boolean;
}

export interface MapPoint extends Markup {
  problem: string;
  notation: string;
  x: number;
  y: number;
  steps?: number | null;
}

export interface ProblemMap {
  points: MapPoint[];
  /** The shares of the variance that the two axes explain. */
  explained: [number, number];
}
