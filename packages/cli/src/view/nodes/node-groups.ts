import { labelKeys } from '@karpenter/core/api';
import type { NodeRow } from '@karpenter/core/cluster-view';

/** Words for the labels that people group by most. Any other label key works too. */
export const groupingLabels: Readonly<Record<string, string>> = {
  nodepool: labelKeys.nodePool,
  zone: labelKeys.zone,
  'capacity-type': labelKeys.capacityType,
  'instance-type': labelKeys.instanceType,
};

const rowFields: Readonly<Record<string, keyof NodeRow>> = {
  [labelKeys.nodePool]: 'nodePool',
  [labelKeys.zone]: 'zone',
  [labelKeys.capacityType]: 'capacityType',
  [labelKeys.instanceType]: 'instanceType',
};

/** The group of a node; the empty text for one without a value. Rows know capacity types of managed nodes too. */
function groupOf(node: NodeRow, groupBy: string): string {
  const key = groupingLabels[groupBy] ?? groupBy;
  const field = rowFields[key];
  if (field !== undefined) return String(node[field] ?? '');
  return (Object.hasOwn(node.labels, key) ? node.labels[key] : undefined) ?? '';
}

/** Nodes by group in the order of group names, those without one last. Within a group the order stays. */
export function grouped(
  nodes: readonly NodeRow[],
  groupBy: string,
): readonly (readonly [string, readonly NodeRow[]])[] {
  const groups = new Map<string, NodeRow[]>();
  for (const node of nodes) {
    const name = groupOf(node, groupBy);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [node]);
    else group.push(node);
  }
  return [...groups].sort(([a], [b]) => Number(a === '') - Number(b === '') || (a < b ? -1 : 1));
}
