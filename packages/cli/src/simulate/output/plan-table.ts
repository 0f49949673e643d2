import type { Plan, Snapshot } from '@karpenter/core/scheduling';
import type { Simulated } from '../simulation.ts';
import { choiceText } from './choice-text.ts';
import { type Column, columnLines, wrapped } from './columns.ts';
import { type Fill, groupPrice, type NodeGroup, nodeGroups } from './node-groups.ts';
import { podNames } from './pod-names.ts';
import { failures, hourlyPrice, summary } from './summary.ts';

const width = 100;
const mostRows = 20;
const mostExamples = 3;
const mostChoices = 5;

/** The plan for a person: what it comes to, the new nodes, the nodes used, and what has no place. */
export function planTable(simulated: Simulated): string {
  const { source, snapshot, plan } = simulated;
  const sections = [
    [`${source}: ${headline(simulated)}`].flatMap((line) => wrapped(line, width)),
    newNodeLines(plan, snapshot),
    choiceLines(plan, snapshot),
    existingNodeLines(plan),
    failureLines(plan, snapshot),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function headline(simulated: Simulated): string {
  const { pods, placed, onExisting, failed, nodes, hourlyPrice: price, seconds } = summary(simulated);
  const existing = onExisting > 0 ? ` (${counted(onExisting)} on existing nodes)` : '';
  const waiting = simulated.plan.deferred.length;
  const left =
    (failed > 0 ? `, ${counted(failed)} without a place` : '') +
    (waiting > 0 ? `, ${counted(waiting)} waiting for reserved capacity` : '');
  return (
    `${nouned(pods, 'pod')}, ${counted(placed)} placed${existing}${left}; ` +
    `${nouned(nodes, 'new node')} for $${price.toFixed(2)} an hour; planned in ${seconds.toFixed(3)} s`
  );
}

const newNodeColumns: readonly Column[] = [
  { title: 'NODEPOOL', align: 'left', atMost: 22 },
  { title: 'CHEAPEST TYPE', align: 'left', atMost: 20 },
  { title: 'CAPACITY', align: 'left' },
  { title: 'NODES', align: 'right' },
  { title: '$/H EACH', align: 'right' },
  { title: '$/HOUR', align: 'right' },
  { title: 'CPU', align: 'right' },
  { title: 'MEMORY', align: 'right' },
  { title: 'PODS', align: 'right' },
];

function newNodeLines(plan: Plan, snapshot: Snapshot): readonly string[] {
  const groups = nodeGroups(plan.newNodes, snapshot);
  if (groups.length === 0) return [];
  return columnLines(newNodeColumns, [...groups.map(groupRow), totalRow(plan, groups)]);
}

function groupRow(group: NodeGroup): readonly string[] {
  const { nodePool, instanceType, capacityType, nodes, priceEach, pods, requested, allocatable } = group;
  return [
    nodePool,
    instanceType,
    capacityType,
    counted(nodes),
    priceEach.toFixed(4),
    groupPrice(group).toFixed(4),
    ...fillCells(requested, allocatable),
    counted(pods),
  ];
}

function totalRow(plan: Plan, groups: readonly NodeGroup[]): readonly string[] {
  const total = (part: (group: NodeGroup) => number): number =>
    groups.reduce((sum, group) => sum + part(group), 0);
  const fill = (part: 'requested' | 'allocatable'): Fill => ({
    cpu: total((group) => group[part].cpu),
    memory: total((group) => group[part].memory),
  });
  return [
    'total',
    '',
    '',
    counted(plan.newNodes.length),
    '',
    hourlyPrice(plan).toFixed(4),
    ...fillCells(fill('requested'), fill('allocatable')),
    counted(total(({ pods }) => pods)),
  ];
}

function fillCells(requested: Fill, allocatable: Fill): readonly string[] {
  return [percent(requested.cpu, allocatable.cpu), percent(requested.memory, allocatable.memory)];
}

function percent(part: number, whole: number): string {
  return whole > 0 ? `${Math.round((100 * part) / whole)} %` : '-';
}

/** Why the nodes that cost most are what they are, one of each kind. */
function choiceLines(plan: Plan, snapshot: Snapshot): readonly string[] {
  const groups = nodeGroups(plan.newNodes, snapshot).toSorted((a, b) => groupPrice(b) - groupPrice(a));
  if (groups.length === 0) return [];
  const lines = groups.slice(0, mostChoices).flatMap(({ nodePool, instanceType, capacityType, example }) => {
    const [first = '', ...rest] = wrapped(
      `${nodePool} ${instanceType} ${capacityType}: ${choiceText(example)}`,
      width - 4,
    );
    return [`  ${first}`, ...rest.map((line) => `    ${line}`)];
  });
  return ['Why these nodes:', ...lines];
}

const existingColumns: readonly Column[] = [
  { title: 'EXISTING NODE', align: 'left', atMost: 80 },
  { title: 'PODS', align: 'right' },
];

function existingNodeLines({ placements }: Plan): readonly string[] {
  if (placements.length === 0) return [];
  const rows = placements.slice(0, mostRows).map(({ node, pods }) => [node, counted(pods.length)]);
  const rest = placements.length - rows.length;
  return [...columnLines(existingColumns, rows), ...(rest > 0 ? [`and ${nouned(rest, 'more node')}`] : [])];
}

/** Pods without a place, those with the same reason together. */
function failureLines(plan: Plan, snapshot: Snapshot): readonly string[] {
  const byMessage = new Map<string, string[]>();
  for (const [uid, message] of failures(plan)) {
    const uids = byMessage.get(message);
    if (uids === undefined) byMessage.set(message, [uid]);
    else uids.push(uid);
  }
  if (byMessage.size === 0) return [];
  const names = podNames(snapshot);
  const groups = [...byMessage].sort(([, a], [, b]) => b.length - a.length);
  return groups.flatMap(([message, uids], index) => {
    const pods = examples(uids.map((uid) => names.get(uid) ?? uid));
    const opening = wrapped(`${nouned(uids.length, 'pod')} without a place: ${pods}`, width);
    const reason = wrapped(message, width - 2).map((line) => `  ${line}`);
    const help = adviceFor(plan, uids[0]).flatMap((advice) =>
      wrapped(`To place them: ${advice}.`, width - 2).map((line) => `  ${line}`),
    );
    return [...(index > 0 ? [''] : []), ...opening, ...reason, ...help];
  });
}

/** What would help, pool by pool, each once. */
function adviceFor({ rejections }: Plan, uid: string | undefined): readonly string[] {
  const reasons = rejections.find(({ pod }) => pod === uid)?.reasons ?? [];
  return [...new Set(reasons.flatMap(({ advice }) => (advice === undefined ? [] : [advice])))];
}

function examples(names: readonly string[]): string {
  const rest = names.length - mostExamples;
  const shown = names.slice(0, mostExamples).join(', ');
  return rest > 0 ? `${shown} and ${counted(rest)} more` : shown;
}

function counted(value: number): string {
  return value.toLocaleString('en-US');
}

function nouned(value: number, noun: string): string {
  return `${counted(value)} ${noun}${value === 1 ? '' : 's'}`;
}
