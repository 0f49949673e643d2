import { capacityTypes } from '@karpenter/core/api';
import { overlayRefusal } from '@karpenter/core/node-overlays';
import type { Plan } from '@karpenter/core/scheduling';
import { columnLines, type OutputColumn, wrapped } from '../../output/index.ts';
import type { Simulated } from '../simulation.ts';
import { choiceText } from './choice-text.ts';
import { currencySign } from './currency.ts';
import { groupPrice, type NodeFill, type NodeGroup, nodeGroups } from './node-groups.ts';
import { podMessageLines } from './pod-messages.ts';
import { podNames } from './pod-names.ts';
import { bufferSummaries, failures, hourlyPrice, messagesOf, summary } from './summary.ts';
import { VirtualPods } from './virtual-pods.ts';
import { formatCount, pluralized } from './wording.ts';

const usualWidth = 100;
const maxRows = 20;
const maxChoices = 5;

export interface PlanTableOptions {
  /** Sections about the cluster, shown after the totals. */
  readonly details?: readonly (readonly string[])[];
  /** Columns of the terminal; 100 if unknown. */
  readonly width?: number | undefined;
  /** Adds the zones and the number of types to each row. */
  readonly isWide?: boolean;
}

/** A plan and how it is laid out. */
type Shown = Simulated & { readonly width: number; readonly isWide: boolean };

/**
 * The plan as text: totals, new nodes, why the most expensive were chosen, existing
 * nodes that take pods, and the pods that are not placed. Sections without content are omitted.
 */
export function planTable(plan: Simulated, options: PlanTableOptions = {}): string {
  const { details = [], width = usualWidth, isWide = false } = options;
  const simulated: Shown = { ...plan, width, isWide };
  const names = podNames(simulated);
  const sections = [
    [`${simulated.source}: ${headline(simulated)}`].flatMap((line) => wrapped(line, width)),
    ...details,
    [...newNodeLines(simulated), ...estimateLines(simulated)],
    choiceLines(simulated),
    existingNodeLines(simulated),
    bufferLines(simulated),
    overlayLines(simulated),
    failureLines(simulated, names),
    ignoredLines(simulated, names),
    heldLines(simulated, names),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function headline(simulated: Simulated): string {
  const { pods, placed, onExisting, failed, nodes, hourlyPrice: price, seconds } = summary(simulated);
  const existing = onExisting > 0 ? ` (${formatCount(onExisting)} on existing nodes)` : '';
  const waiting = simulated.plan.deferred.length;
  const left =
    (failed > 0 ? `, ${formatCount(failed)} without a place` : '') +
    (waiting > 0 ? `, ${formatCount(waiting)} waiting for reserved capacity` : '');
  const { ignored, held } = simulated.findings;
  const others =
    (ignored.length > 0 ? `; ${formatCount(ignored.length)} ignored` : '') +
    (held.length > 0 ? `; ${formatCount(held.length)} waiting for launches` : '');
  return (
    `${pluralized(pods, 'pod')}, ${formatCount(placed)} placed${existing}${left}${others}; ` +
    `${pluralized(nodes, 'new node')} for ${currencySign(simulated.snapshot)}${price.toFixed(2)} an hour; planned in ${seconds.toFixed(3)} s`
  );
}

const newNodeColumns = (sign: string): readonly OutputColumn[] => [
  { title: 'NODEPOOL', align: 'left', maxWidth: 22 },
  { title: 'CHEAPEST TYPE', align: 'left', maxWidth: 20 },
  { title: 'CAPACITY', align: 'left' },
  { title: 'NODES', align: 'right' },
  { title: `${sign}/H EACH`, align: 'right' },
  { title: `${sign}/HOUR`, align: 'right' },
  { title: 'CPU', align: 'right' },
  { title: 'MEMORY', align: 'right' },
  { title: 'PODS', align: 'right' },
];

/** The number of virtual pods; shown only if the cluster has buffers. */
const virtualColumn: OutputColumn = { title: 'VIRTUAL', align: 'right' };

function newNodeLines({ plan, snapshot, isWide }: Shown): readonly string[] {
  const groups = nodeGroups(plan.newNodes, snapshot);
  if (groups.length === 0) return [];
  const columns = [...newNodeColumns(currencySign(snapshot)), ...(isWide ? wideColumns : [])];
  const wide = isWide ? wideCells : () => [];
  return withVirtualColumn(new VirtualPods(snapshot), columns, [
    ...groups.map((group) => [...groupRow(group), ...wide(group), formatCount(group.virtualPods)]),
    [...totalRow(plan, groups), ...wide(), virtualTotal(groups)],
  ]);
}

/** Manifests are priced from the built-in catalogue, which has no spot prices of its own. */
function estimateLines({ kind, plan: { newNodes } }: Simulated): readonly string[] {
  const hasSpot = newNodes.some(({ choice }) => choice.offering.capacityType === capacityTypes.spot);
  return kind === 'manifests' && hasSpot ? ['Spot prices are estimates: 35 % of on-demand.'] : [];
}

/** What `-o wide` adds. */
const wideColumns: readonly OutputColumn[] = [
  { title: 'TYPES', align: 'right' },
  { title: 'ZONES', align: 'left' },
];

function wideCells(group?: NodeGroup): readonly string[] {
  return group === undefined
    ? ['', '']
    : [formatCount(group.example.instanceTypes.length), group.zones.join(' ')];
}

function virtualTotal(groups: readonly NodeGroup[]): string {
  return formatCount(groups.reduce((sum, { virtualPods }) => sum + virtualPods, 0));
}

/** Drops the last cell of each row, the number of virtual pods, if the cluster has no buffers. */
function withVirtualColumn(
  virtual: VirtualPods,
  columns: readonly OutputColumn[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  if (virtual.count > 0) return columnLines([...columns, virtualColumn], rows);
  return columnLines(
    columns,
    rows.map((row) => row.slice(0, -1)),
  );
}

function groupRow(group: NodeGroup): readonly string[] {
  const { nodePool, instanceType, capacityType, nodes, priceEach, requested, allocatable } = group;
  return [
    nodePool,
    instanceType,
    capacityType,
    formatCount(nodes),
    priceEach.toFixed(4),
    groupPrice(group).toFixed(4),
    ...fillCells(requested, allocatable),
    formatCount(group.pods),
  ];
}

function totalRow(plan: Plan, groups: readonly NodeGroup[]): readonly string[] {
  const total = (part: (group: NodeGroup) => number): number =>
    groups.reduce((sum, group) => sum + part(group), 0);
  const fill = (part: 'requested' | 'allocatable'): NodeFill => ({
    cpu: total((group) => group[part].cpu),
    memory: total((group) => group[part].memory),
  });
  return [
    'total',
    '',
    '',
    formatCount(plan.newNodes.length),
    '',
    hourlyPrice(plan).toFixed(4),
    ...fillCells(fill('requested'), fill('allocatable')),
    formatCount(total(({ pods }) => pods)),
  ];
}

function fillCells(requested: NodeFill, allocatable: NodeFill): readonly string[] {
  return [percent(requested.cpu, allocatable.cpu), percent(requested.memory, allocatable.memory)];
}

function percent(part: number, whole: number): string {
  return whole > 0 ? `${Math.round((100 * part) / whole)} %` : '-';
}

/** Explains the choice of one node from each of the most expensive groups. */
function choiceLines({ plan, snapshot, width }: Shown): readonly string[] {
  const groups = nodeGroups(plan.newNodes, snapshot).toSorted((a, b) => groupPrice(b) - groupPrice(a));
  if (groups.length === 0) return [];
  const lines = groups.slice(0, maxChoices).flatMap(({ nodePool, instanceType, capacityType, example }) => {
    const [first = '', ...rest] = wrapped(
      `${nodePool} ${instanceType} ${capacityType}: ${choiceText(example, currencySign(snapshot))}`,
      width - 4,
    );
    return [`  ${first}`, ...rest.map((line) => `    ${line}`)];
  });
  return ['Why these nodes:', ...lines];
}

const existingColumns: readonly OutputColumn[] = [
  { title: 'EXISTING NODE', align: 'left', maxWidth: 80 },
  { title: 'PODS', align: 'right' },
];

function existingNodeLines({ plan: { placements }, snapshot }: Simulated): readonly string[] {
  if (placements.length === 0) return [];
  const virtual = new VirtualPods(snapshot);
  const rows = placements
    .slice(0, maxRows)
    .map(({ node, pods }) => [
      node,
      formatCount(virtual.real(pods).length),
      formatCount(virtual.virtual(pods).length),
    ]);
  const rest = placements.length - rows.length;
  return [
    ...withVirtualColumn(virtual, existingColumns, rows),
    ...(rest > 0 ? [`and ${pluralized(rest, 'more node')}`] : []),
  ];
}

const virtualColumns: readonly OutputColumn[] = [
  { title: 'BUFFER', align: 'left', maxWidth: 40 },
  { title: 'PODS', align: 'right' },
  { title: 'EXISTING', align: 'right' },
  { title: 'NEW', align: 'right' },
  { title: 'FAILED', align: 'right' },
];

/** Where the virtual pods of each buffer go, and the condition that the buffer would report. */
function bufferLines(simulated: Shown): readonly string[] {
  const buffers = Object.entries(bufferSummaries(simulated));
  if (buffers.length === 0) return [];
  const rows = buffers.map(([name, { replicas, onExisting, onNew, failed }]) => [
    name,
    replicas === undefined ? '-' : formatCount(replicas),
    ...[onExisting, onNew, failed].map(formatCount),
  ]);
  const [titles = '', ...lines] = columnLines(virtualColumns, rows);
  const states = lines.flatMap((line, index) => [
    line,
    ...wrapped(buffers[index]?.[1].state ?? '', simulated.width - 2).map((text) => `  ${text}`),
  ]);
  return [titles, ...states];
}

function overlayLines({ findings: { overlays }, width }: Shown): readonly string[] {
  return overlays.flatMap((verdict) => {
    const refusal = overlayRefusal(verdict);
    if (refusal === undefined) return [];
    return wrapped(`NodeOverlay ${verdict.overlay} is not applied: ${refusal.message}`, width);
  });
}

type PodNames = ReadonlyMap<string, string>;

/** Rejected pods, grouped by reason. */
function failureLines({ plan, width }: Shown, names: PodNames): readonly string[] {
  return podMessageLines(failures(plan), {
    outcome: 'without a place',
    names,
    width,
    help: (uid) => adviceFor(plan, uid).map((advice) => `To place them: ${advice}.`),
  });
}

function ignoredLines({ findings: { ignored }, width }: Shown, names: PodNames): readonly string[] {
  return podMessageLines(messagesOf(ignored), { outcome: 'ignored', names, width });
}

function heldLines({ findings: { held }, width }: Shown, names: PodNames): readonly string[] {
  return podMessageLines(messagesOf(held), { outcome: 'waiting', names, width });
}

/** The distinct advice of all NodePools that rejected the pod. */
function adviceFor({ rejections }: Plan, uid: string | undefined): readonly string[] {
  const reasons = rejections.find(({ pod }) => pod === uid)?.reasons ?? [];
  return [...new Set(reasons.flatMap(({ advice }) => (advice === undefined ? [] : [advice])))];
}
