// Where the states of a search tree are drawn: steps from left to right, each state as high as its parent or below, in the order
// of the parents, so that no edges cross and the way to the solution is a straight line.

import type {TreeNode} from '../engine/wire';

export interface PlacedNode {
  node: TreeNode;
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
  let hidden = 0;
  const shownChildren = ({id}: TreeNode): TreeNode[] => {
    let count = 0;
    const all = [...(children.get(id) ?? [])].sort(byRank);
    const shown = all.filter((child) => isKept(child) || ++count <= rejected);
    hidden += all.length - shown.length;
    return shown;
  };

  const placed: PlacedNode[] = [];
  let rows = 0;
  let column = 0;
  let level: PlacedNode[] = (children.get(null) ?? []).map((node, row) => ({node, column, row, parent: null, children: []}));
  while (level.length > 0) {
    placed.push(...level);
    rows = Math.max(rows, ...level.map(({row}) => row + 1));
    ++column;
    const next: PlacedNode[] = [];
    let free = 0;
    for (const parent of level) {
      for (const node of shownChildren(parent.node)) {
        const row = Math.max(free, parent.row);
        free = row + 1;
        const child = {node, column, row, parent, children: []};
        parent.children.push(child);
        next.push(child);
      }
    }
    level = next;
  }
  return {nodes: placed, columns: Math.max(column, 1), rows, hidden};
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
