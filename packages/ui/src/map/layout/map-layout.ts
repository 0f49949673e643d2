import { type GroupBlock, groupBlock, type SizedBox } from './group-block.ts';
import type { Rectangle } from './rectangle.ts';

/** A node to place: `cores` decides its size, `group` its neighbours. */
export interface PlacedNode extends SizedBox {
  readonly group: string;
}

interface GroupArea {
  readonly name: string;
  readonly rectangle: Rectangle;
  readonly nodes: number;
}

export interface MapLayout {
  /** Pixels per square root of a core. */
  readonly scale: number;
  readonly height: number;
  readonly groups: readonly GroupArea[];
  readonly boxes: ReadonlyMap<string, Rectangle>;
}

interface MapArea {
  readonly width: number;
  readonly height: number;
}

/** Steps rather than any scale: a node more or less seldom changes the size of all others. */
const scales = Array.from({ length: 32 }, (_, step) => 200 / 1.13 ** step);
/** Pixels of width for each pixel of the largest scale: a few nodes do not fill the screen with one of them. */
const widthPerScale = 13;
const gap = 14;
const columns = 12;

/** The largest scale at which all nodes fit the area; beyond the smallest, the map scrolls. */
export function layoutMap(nodes: readonly PlacedNode[], area: MapArea): MapLayout {
  const groups = groupsOf(nodes);
  // Smaller scales give lower maps, so the search halves the steps that remain.
  const largest = scales.findIndex((scale) => scale * widthPerScale <= area.width);
  let [first, last] = [Math.max(0, largest), scales.length - 1];
  while (first < last) {
    const middle = (first + last) >> 1;
    if (layoutAt(groups, scaleOf(middle), area).height <= area.height) last = middle;
    else first = middle + 1;
  }
  return layoutAt(groups, scaleOf(first), area);
}

const scaleOf = (step: number): number => scales[step] ?? 1;

function groupsOf(nodes: readonly PlacedNode[]): ReadonlyMap<string, readonly PlacedNode[]> {
  const groups = new Map<string, PlacedNode[]>();
  for (const node of nodes) {
    const group = groups.get(node.group);
    if (group === undefined) groups.set(node.group, [node]);
    else group.push(node);
  }
  for (const group of groups.values()) group.sort(largestFirst);
  return new Map([...groups].sort(([a], [b]) => compareNames(a, b)));
}

/** Nodes without the label come last. */
function compareNames(a: string, b: string): number {
  if (a === '' || b === '') return Number(a === '') - Number(b === '');
  return a < b ? -1 : 1;
}

function largestFirst(a: SizedBox, b: SizedBox): number {
  return b.cores - a.cores || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

function layoutAt(
  groups: ReadonlyMap<string, readonly PlacedNode[]>,
  scale: number,
  { width }: MapArea,
): MapLayout {
  const column = (width + gap) / columns;
  const named = [...groups].map(([name, nodes]) => ({ name, nodes, span: spanOf(nodes, scale, column) }));
  const areas: GroupArea[] = [];
  const boxes = new Map<string, Rectangle>();
  let y = 0;
  for (const row of rowsOf(named)) {
    let x = 0;
    let tallest = 0;
    for (const { name, nodes, span } of row) {
      const block = groupBlock(nodes, scale, span * column - gap);
      areas.push({
        name,
        nodes: nodes.length,
        rectangle: { x, y, width: block.width, height: block.height },
      });
      addBoxes(boxes, block, { x, y });
      x += span * column;
      tallest = Math.max(tallest, block.height);
    }
    y += tallest + gap;
  }
  return { scale, height: Math.max(0, y - gap), groups: areas, boxes };
}

function addBoxes(
  boxes: Map<string, Rectangle>,
  block: GroupBlock,
  { x, y }: Pick<Rectangle, 'x' | 'y'>,
): void {
  for (const [id, box] of block.boxes) boxes.set(id, { ...box, x: box.x + x, y: box.y + y });
}

/** About twice as wide as high, in whole columns. */
function spanOf(nodes: readonly PlacedNode[], scale: number, column: number): number {
  const narrowest = Math.min(columns, Math.ceil(170 / column));
  const area = nodes.reduce((sum, { cores }) => sum + Math.max(1, cores), 0) * scale * scale * 1.7;
  return Math.min(columns, Math.max(narrowest, Math.ceil(Math.sqrt(area * 2) / column)));
}

interface SpannedGroup {
  readonly name: string;
  readonly nodes: readonly PlacedNode[];
  readonly span: number;
}

/** Groups side by side; the widest of a row takes the columns that remain. */
function rowsOf(groups: readonly SpannedGroup[]): readonly (readonly SpannedGroup[])[] {
  const rows: SpannedGroup[][] = [];
  let left = 0;
  for (const group of groups) {
    const row = rows.at(-1);
    if (row !== undefined && group.span <= left) row.push(group);
    else rows.push([group]);
    left = (row !== undefined && group.span <= left ? left : columns) - group.span;
  }
  return rows.map(fillRow);
}

function fillRow(row: readonly SpannedGroup[]): readonly SpannedGroup[] {
  const left = columns - row.reduce((sum, { span }) => sum + span, 0);
  const widest = row.reduce((most, group) => (group.span > most.span ? group : most));
  return row.map((group) => (group === widest ? { ...group, span: group.span + left } : group));
}
