import {
  type ClusterView,
  type NodeRow,
  type PodCounts,
  PodTally,
  type Totals,
  totalsOf,
} from '@karpenter/core/cluster-view';
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

/** Computes what to show of a cluster. Sums do not change with the search, which is only about finding nodes. */
export function viewModel(
  view: Pick<ClusterView, 'nodes' | 'podCounts'>,
  { nodeSelector, sort }: Pick<ViewSettings, 'nodeSelector' | 'sort'>,
): ViewModel {
  const isSelected = compileLabelSelector(parseLabelSelector(nodeSelector));
  const nodes = [...view.nodes.values()].filter(({ labels }) => isSelected(labels)).sort(nodeOrder(sort));
  return {
    nodes,
    totals: totalsOf(nodes),
    pods: nodeSelector.trim() === '' ? view.podCounts : podCounts(nodes),
    isEstimated: nodes.some(({ price }) => price?.isEstimated === true),
  };
}

/** With a node selector only pods of the selected nodes count; pods without a node belong to none of them. */
function podCounts(nodes: readonly NodeRow[]): PodCounts {
  const tally = new PodTally();
  for (const node of nodes) tally.addAll(node.podCounts);
  return tally.counts;
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
