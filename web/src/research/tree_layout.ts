// Where the states of a search tree are drawn: steps from left to right, leaves one below the other, parents amid their children.

import type {TreeNode} from './wire';

export interface PlacedNode {
  node: TreeNode;
  /** Columns and rows; a row may be a fraction. */
  column: number;
  row: number;
  parent: PlacedNode | null;
  children: PlacedNode[];
}

export interface TreeLayout {
  nodes: PlacedNode[];
  columns: number;
  rows: number;
  /** How many rejected states were left out. */
  hidden: number;
}

/** Of each parent's rejected children the best few are shown; those on the solution, or kept, always. */
export function layoutTree(nodes: readonly TreeNode[], rejected: number): TreeLayout {
  const children = new Map<number | null, TreeNode[]>();
  const ids = new Set(nodes.map(({id}) => id));
  for (const node of nodes) {
    // What comes after a cut may have lost its parent.
    const parent = node.parent !== null && ids.has(node.parent) ? node.parent : null;
    const list = children.get(parent) ?? [];
    list.push(node);
    children.set(parent, list);
  }
  const placed: PlacedNode[] = [];
  let rows = 0;
  let hidden = 0;

  const place = (node: TreeNode, parent: PlacedNode | null): PlacedNode => {
    const here: PlacedNode = {node, column: parent === null ? 0 : parent.column + 1, row: 0, parent, children: []};
    placed.push(here);
    const all = [...(children.get(node.id) ?? [])].sort(byRank);
    let shownRejected = 0;
    for (const child of all) {
      if (!isKept(child) && ++shownRejected > rejected) {
        ++hidden;
        continue;
      }
      here.children.push(place(child, here));
    }
    const first = here.children[0];
    const last = here.children.at(-1);
    here.row = first === undefined || last === undefined ? rows++ : (first.row + last.row) / 2;
    return here;
  };
  for (const root of children.get(null) ?? []) place(root, null);
  return {nodes: placed, columns: 1 + Math.max(0, ...placed.map(({column}) => column)), rows, hidden};
}

function isKept(node: TreeNode): boolean {
  return node.chosen || node.on_solution;
}

// The solution above, then what was kept, then by score.
function byRank(a: TreeNode, b: TreeNode): number {
  return (
    Number(b.on_solution) - Number(a.on_solution) || Number(b.chosen) - Number(a.chosen) || (b.score ?? 0) - (a.score ?? 0)
  );
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** Where an arrow key leads; the node itself if there is nothing in that direction. */
export function walkTree(layout: TreeLayout, from: PlacedNode, direction: Direction): PlacedNode {
  if (direction === 'left') return from.parent ?? from;
  if (direction === 'right') return from.children[0] ?? from;
  const column = layout.nodes.filter((other) => other.column === from.column).sort((a, b) => a.row - b.row);
  return column[column.indexOf(from) + (direction === 'up' ? -1 : 1)] ?? from;
}

/** From the root to the node, both included. */
export function pathTo(node: PlacedNode): PlacedNode[] {
  return node.parent === null ? [node] : [...pathTo(node.parent), node];
}
