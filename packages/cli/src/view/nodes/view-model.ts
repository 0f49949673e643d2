import { type ClusterView, type NodeRow, type Totals, totalsOf } from '@karpenter/core/cluster-view';
import { compileLabelSelector, parseLabelSelector } from '@karpenter/core/values';
import type { ViewSettings } from '../settings/view-settings.ts';
import { nodeOrder } from './node-order.ts';

/** The nodes to show, in order, and sums over them. */
export interface ViewModel {
  readonly nodes: readonly NodeRow[];
  readonly totals: Totals;
  readonly pods: PodCounts;
  /** Whether some of the prices are estimates. */
  readonly isEstimated: boolean;
}

/** Pods that have neither ended nor are being deleted. */
export interface PodCounts {
  readonly total: number;
  readonly pending: number;
  readonly running: number;
  readonly bound: number;
}

/** Computes what to show of a cluster. Sums do not change with the search, which is only about finding nodes. */
export function viewModel(
  view: Pick<ClusterView, 'nodes' | 'pods'>,
  { nodeSelector, sort }: Pick<ViewSettings, 'nodeSelector' | 'sort'>,
): ViewModel {
  const isSelected = compileLabelSelector(parseLabelSelector(nodeSelector));
  const nodes = [...view.nodes.values()].filter(({ labels }) => isSelected(labels)).sort(nodeOrder(sort));
  const names = nodeSelector.trim() === '' ? undefined : new Set(nodes.map(({ nodeName }) => nodeName));
  return {
    nodes,
    totals: totalsOf(nodes),
    pods: podCounts(view.pods, names),
    isEstimated: nodes.some(({ price }) => price?.isEstimated === true),
  };
}

/** With a node selector only pods of the selected nodes count; pods without a node belong to none of them. */
function podCounts(
  pods: ClusterView['pods'],
  nodeNames: ReadonlySet<string | undefined> | undefined,
): PodCounts {
  const counts = { total: 0, pending: 0, running: 0, bound: 0 };
  for (const { nodeName, statusPhase, requests } of pods.values()) {
    if (requests['pods'] === undefined) continue;
    if (nodeNames !== undefined && (nodeName === undefined || !nodeNames.has(nodeName))) continue;
    counts.total += 1;
    if (statusPhase === 'Pending') counts.pending += 1;
    if (statusPhase === 'Running') counts.running += 1;
    if (nodeName !== undefined) counts.bound += 1;
  }
  return counts;
}

/** Nodes in whose name, type, zone, NodePool, NodeClaim or label values the text occurs. */
export function searched(nodes: readonly NodeRow[], text: string): readonly NodeRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return nodes;
  return nodes.filter(({ name, id, nodeClaim, labels }) =>
    [name, id, nodeClaim ?? '', ...Object.values(labels)].some((value) =>
      value.toLowerCase().includes(wanted),
    ),
  );
}
