import type { PageNode } from '@karpenter/core/page-api';

/** What nodes can be grouped by besides labels. */
export const mapGroupings = ['nodepool', 'zone', 'capacity-type', 'instance-type', 'none'] as const;

/** The group of a node; empty for a node without the field or label. */
export function groupNameOf(node: PageNode, groupBy: string): string {
  if (groupBy === 'none') return 'all';
  if (groupBy === 'nodepool') return node.nodePool ?? '';
  if (groupBy === 'zone') return node.zone ?? '';
  if (groupBy === 'capacity-type') return node.capacityType ?? '';
  if (groupBy === 'instance-type') return node.instanceType ?? '';
  return node.labels[groupBy] ?? '';
}
