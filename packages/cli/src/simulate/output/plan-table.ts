import { capacityTypes } from '@karpenter/core/api';
import { overlayRefusal } from '@karpenter/core/node-overlays';
import type { Plan } from '@karpenter/core/scheduling';
import type { Simulated } from '../simulation.ts';
import { choiceText } from './choice-text.ts';
import { columnLines, type OutputColumn, wrapped } from './columns.ts';
import { groupPrice, type NodeFill, type NodeGroup, nodeGroups } from './node-groups.ts';
import { podMessageLines } from './pod-messages.ts';
import { podNames } from './pod-names.ts';
import { bufferSummaries, failures, hourlyPrice, messagesOf, summary } from './summary.ts';
import { VirtualPods } from './virtual-pods.ts';
import { formatCount, pluralized } from './wording.ts';

const width = 100;
const maxRows = 20;
const maxChoices = 5;

/**
 * The plan as text for a terminal of 100 columns: totals, new nodes, why the most expensive were chosen, existing
 * nodes that take pods, and the pods that are not placed. Sections without content are omitted. `details` are sections
 * about the cluster, shown after the totals.
 */
export function planTable(simulated: Simulated, details: readonly (readonly string[])[] = []): string {
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
    `${pluralized(nodes, 'new node')} for $${price.toFixed(2)} an hour; planned in ${seconds.toFixed(3)} s`
  );
}

const newNodeColumns: readonly OutputColumn[] = [
  { title: 'NODEPOOL', align: 'left', maxWidth: 22 },
  { title: 'CHEAPEST TYPE', align: 'left', maxWidth: 20 },
  { title: 'CAPACITY', align: 'left' },
  { title: 'NODES', align: 'right' },
  { title: '$/H EACH', align: 'right' },
  { title: '$/HOUR', align: 'right' },
  { title: 'CPU', align: 'right' },
  { title: 'MEMORY', align: 'right' },
  { title: 'PODS', align: 'right' },
];

/** The number of virtual pods; shown only if the cluster has buffers. */
const virtualColumn: OutputColumn = { title: 'VIRTUAL', align: 'right' };

function newNodeLines({ plan, snapshot }: Simulated): readonly string[] {
  const groups = nodeGroups(plan.newNodes, snapshot);
  if (groups.length === 0) return [];
  return withVirtualColumn(new VirtualPods(snapshot), newNodeColumns, [
    ...groups.map(groupRow),
    totalRow(plan, groups),
  ]);
}

/** Manifests are priced from the built-in catalogue, which has no spot prices of its own. */
function estimateLines({ kind, plan: { newNodes } }: Simulated): readonly string[] {
  const hasSpot = newNodes.some(({ choice }) => choice.offering.capacityType === capacityTypes.spot);
  return kind === 'manifests' && hasSpot ? ['Spot prices are estimates: 35 % of on-demand.'] : [];
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
    formatCount(group.virtualPods),
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
    formatCount(total(({ virtualPods }) => virtualPods)),
  ];
}

function fillCells(requested: NodeFill, allocatable: NodeFill): readonly string[] {
  return [percent(requested.cpu, allocatable.cpu), percent(requested.memory, allocatable.memory)];
}

function percent(part: number, whole: number): string {
  return whole > 0 ? `${Math.round((100 * part) / whole)} %` : '-';
}

/** Explains the choice of one node from each of the most expensive groups. */
function choiceLines({ plan, snapshot }: Simulated): readonly string[] {
  const groups = nodeGroups(plan.newNodes, snapshot).toSorted((a, b) => groupPrice(b) - groupPrice(a));
  if (groups.length === 0) return [];
  const lines = groups.slice(0, maxChoices).flatMap(({ nodePool, instanceType, capacityType, example }) => {
    const [first = '', ...rest] = wrapped(
      `${nodePool} ${instanceType} ${capacityType}: ${choiceText(example)}`,
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
function bufferLines(simulated: Simulated): readonly string[] {
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
    ...wrapped(buffers[index]?.[1].state ?? '', width - 2).map((text) => `  ${text}`),
  ]);
  return [titles, ...states];
}

function overlayLines({ findings: { overlays } }: Simulated): readonly string[] {
  return overlays.flatMap((verdict) => {
    const refusal = overlayRefusal(verdict);
    if (refusal === undefined) return [];
    return wrapped(`NodeOverlay ${verdict.overlay} is not applied: ${refusal.message}`, width);
  });
}

type PodNames = ReadonlyMap<string, string>;

/** Rejected pods, grouped by reason. */
function failureLines({ plan }: Simulated, names: PodNames): readonly string[] {
  return podMessageLines(failures(plan), {
    outcome: 'without a place',
    names,
    width,
    help: (uid) => adviceFor(plan, uid).map((advice) => `To place them: ${advice}.`),
  });
}

function ignoredLines({ findings: { ignored } }: Simulated, names: PodNames): readonly string[] {
  return podMessageLines(messagesOf(ignored), { outcome: 'ignored', names, width });
}

function heldLines({ findings: { held } }: Simulated, names: PodNames): readonly string[] {
  return podMessageLines(messagesOf(held), { outcome: 'waiting', names, width });
}

/** The distinct advice of all NodePools that rejected the pod. */
function adviceFor({ rejections }: Plan, uid: string | undefined): readonly string[] {
  const reasons = rejections.find(({ pod }) => pod === uid)?.reasons ?? [];
  return [...new Set(reasons.flatMap(({ advice }) => (advice === undefined ? [] : [advice])))];
}
