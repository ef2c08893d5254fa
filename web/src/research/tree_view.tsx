// The tree that a beam search makes, drawn from left to right, to be walked with the arrow keys.

import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {useEngine} from '../engine/context';
import type {SearchTree} from '../engine/wire';
import {research} from '../i18n/research';
import {Choice} from '../parts/choice';
import {turnOfLabel} from '../pictures/cube_model';
import {Picture} from '../pictures/picture';
import {useSettings, useText} from '../state/settings';
import {percentOf, scoreOf} from './numbers';
import {domainOf, type Asked} from './problem_form';
import {StateLine} from './state_line';
import {layoutTree, pathTo, walkTree, type Direction, type PlacedNode, type TreeLayout} from './tree_layout';
import {useAnswer} from './use_answer';
import {patience, Waiting} from './waiting';

const beams = [1, 2, 4, 8, 16, 32, 64];
const depths = [5, 10, 15, 20, 30, 50];
const rejectedChoices = [
  ['candidates_none', 0],
  ['candidates_few', 2],
  ['candidates_some', 5],
  ['candidates_all', Infinity],
] as const;

export function TreeView({asked}: {asked: Asked}) {
  const t = useText(research);
  const engine = useEngine();
  const {language} = useSettings();
  const [beam, setBeam] = useState(4);
  const [maxSteps, setMaxSteps] = useState(30);
  const [rejected, setRejected] = useState(1);
  const answer = useAnswer(
    (options) =>
      engine.call<SearchTree>(
        'tree',
        {
          problem: asked.problem,
          ...domainOf(asked),
          policy: true,
          beam,
          max_steps: maxSteps,
          milliseconds: patience,
          language,
          markup: true,
        },
        options,
      ),
    [asked, beam, maxSteps, language, engine],
  );
  const tree = answer.state === 'ready' ? answer.value : null;
  const limit = rejectedChoices[rejected]?.[1] ?? 0;
  const layout = useMemo(() => layoutTree(tree?.nodes ?? [], limit), [tree, limit]);
  return (
    <section class="card tree" aria-label={t('tree')}>
      <div class="row">
        <Choice name={t('beam')} value={beam} set={setBeam} options={beams.map((width) => [width, String(width)])} />
        <Choice name={t('max_steps')} value={maxSteps} set={setMaxSteps} options={depths.map((depth) => [depth, String(depth)])} />
        <Choice name={t('candidates')} value={rejected} set={setRejected} options={rejectedChoices.map(([key], index) => [index, t(key)])} />
      </div>
      <p class="fine">{t('tree_intro')}</p>
      <Waiting answer={answer} />
      {tree !== null && (
        <>
          <p class="fine" role="status">
            {t(tree.solved ? 'tree_solved' : 'tree_unsolved', {count: tree.nodes.length})}{' '}
            {tree.cut && t('tree_cut', {count: tree.nodes.length})}{' '}
            {layout.hidden > 0 && t('tree_hidden', {count: layout.hidden})}
          </p>
          <TreeGraph key={`${asked.count} ${beam} ${maxSteps}`} layout={layout} />
        </>
      )}
    </section>
  );
}

const size = {column: 210, row: 26, margin: 18} as const;
const keys: Record<string, Direction> = {ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down'};

function TreeGraph({layout}: {layout: TreeLayout}) {
  const t = useText(research);
  const [selectedId, select] = useState<number | null>(null);
  const graph = useRef<HTMLDivElement>(null);
  const selected = layout.nodes.find(({node}) => node.id === selectedId) ?? layout.nodes[0];
  const path = useMemo(() => new Set(selected === undefined ? [] : pathTo(selected)), [selected]);

  const go = (to: PlacedNode): void => {
    select(to.node.id);
    graph.current?.querySelector<HTMLElement>(`[data-id="${to.node.id}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = keys[event.key];
    if (selected === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    if (direction !== undefined) go(walkTree(layout, selected, direction));
    else if (event.key === 'Home') go(layout.nodes[0] ?? selected);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    // The focus was set by a key: let the node be seen.
    const element = document.activeElement;
    if (element !== null && graph.current?.contains(element)) element.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }, [selectedId]);

  if (selected === undefined) return null;
  const width = layout.columns * size.column + size.margin;
  const height = Math.max(layout.rows, 1) * size.row + 2 * size.margin;
  return (
    <>
      <p class="fine">{t('tree_help')}</p>
      <ul class="legend">
        <li class="tree-solution">{t('legend_solution')}</li>
        <li class="tree-chosen">{t('legend_chosen')}</li>
        <li class="tree-rejected">{t('legend_rejected')}</li>
      </ul>
      <div class="tree-scroll">
        <div
          ref={graph}
          class="tree-plane"
          role="tree"
          aria-label={t('tree')}
          style={{width: `${width}px`, height: `${height}px`}}
          onKeyDown={onKeyDown}
        >
          <svg aria-hidden="true" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
            {[...layout.nodes].sort((a, b) => weightOf(a.node) - weightOf(b.node)).map((placed) => (
              <Edge key={placed.node.id} placed={placed} isOnPath={path.has(placed)} />
            ))}
          </svg>
          {layout.nodes.map((placed) => (
            <TreeItem key={placed.node.id} placed={placed} isSelected={placed === selected} onSelect={go} />
          ))}
        </div>
      </div>
      <NodeDetails placed={selected} />
    </>
  );
}

interface TreeItemProps {
  placed: PlacedNode;
  isSelected: boolean;
  onSelect: (placed: PlacedNode) => void;
}

function TreeItem({placed, isSelected, onSelect}: TreeItemProps) {
  const t = useText(research);
  const {language} = useSettings();
  const {node} = placed;
  const siblings = placed.parent?.children ?? [placed];
  return (
    <div
      role="treeitem"
      data-id={node.id}
      class={`tree-node ${classOf(placed)}${isSelected ? ' selected' : ''}`}
      style={{left: `${xOf(placed)}px`, top: `${yOf(placed)}px`}}
      tabIndex={isSelected ? 0 : -1}
      aria-level={placed.column + 1}
      aria-posinset={siblings.indexOf(placed) + 1}
      aria-setsize={siblings.length}
      aria-selected={isSelected}
      {...(placed.children.length > 0 ? {'aria-expanded': true} : {})}
      onClick={() => onSelect(placed)}
    >
      <span class="tree-mark" />
      <span class="tree-text" aria-hidden="true">
        {node.picture?.kind === 'cube' ? turnOfLabel(node.label ?? '') : node.notation}
      </span>
      <span class="visually-hidden">
        {t('node', {
          depth: node.depth,
          line: node.speech ?? node.notation,
          status: t(statusOf(placed)),
          score: scoreOf(node.score, language),
        })}
      </span>
    </div>
  );
}

function NodeDetails({placed}: {placed: PlacedNode}) {
  const t = useText(research);
  const {language} = useSettings();
  const {node} = placed;
  return (
    <div class="node-details">
      <div class="node-line">
        <StateLine line={node} text={node.state} />
        <span class={`chip ${classOf(placed)}`}>{t(statusOf(placed))}</span>
      </div>
      <p>{node.text ?? t('node_start')}</p>
      <dl class="figures">
        <dt>{t('step')}</dt>
        <dd>{node.depth}</dd>
        <dt>{t('score')}</dt>
        <dd>{scoreOf(node.score, language)}</dd>
        <dt>{t('probability')}</dt>
        <dd>{node.probability === null || node.probability === undefined ? '–' : percentOf(node.probability, language)}</dd>
        <dt>{t('state')}</dt>
        <dd>
          <code>{node.state}</code>
        </dd>
      </dl>
      <Picture picture={node.picture} />
    </div>
  );
}

function Edge({placed, isOnPath}: {placed: PlacedNode; isOnPath: boolean}) {
  if (placed.parent === null) return null;
  const [x1, y1, x2, y2] = [xOf(placed.parent), yOf(placed.parent), xOf(placed), yOf(placed)];
  // From the parent's mark, behind its text, which hides it, to where the columns are apart.
  const bend = x1 + size.column - 40;
  const classes = `tree-edge ${classOf(placed)}${isOnPath ? ' on-path' : ''}`;
  return <path class={classes} d={`M ${x1} ${y1} H ${bend} C ${bend + 22} ${y1}, ${x2 - 26} ${y2}, ${x2 - 8} ${y2}`} />;
}

/** What weighs more is drawn above the rest. */
function weightOf({on_solution, chosen}: PlacedNode['node']): number {
  return 2 * Number(on_solution) + Number(chosen);
}

function xOf({column}: PlacedNode): number {
  return size.margin + column * size.column;
}

function yOf({row}: PlacedNode): number {
  return size.margin + (row + 0.5) * size.row;
}

function classOf({node}: PlacedNode): string {
  return node.on_solution ? 'tree-solution' : node.chosen ? 'tree-chosen' : 'tree-rejected';
}

function statusOf({node}: PlacedNode) {
  return node.on_solution ? 'status_solution' : node.chosen ? 'status_chosen' : 'status_rejected';
}
