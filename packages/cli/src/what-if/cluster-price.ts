import { nodeClaims, nodePools, stateSources } from '@karpenter/controllers/cluster';
import { ClusterView, costReport, nanoPerDollar, type ViewedPod } from '@karpenter/core/cluster-view';
import { priceWithoutAws } from '../cluster-view/index.ts';
import type { ObjectLists } from './object-lists.ts';

/** What the nodes of a cluster cost, as `karpenter cost` counts. */
export interface ClusterPrice {
  /** In dollars. */
  readonly hourly: number;
  /** Nodes with a price. */
  readonly nodes: number;
  /** Nodes without a known price, which are not included. */
  readonly unpriced: number;
  readonly isEstimated: boolean;
}

export function clusterPrice(lists: ObjectLists): ClusterPrice {
  const view = clusterView(lists);
  const { hourly, nodes, unpriced, isEstimated } = costReport(view, [...view.nodes.values()]);
  return { hourly: hourly / nanoPerDollar, nodes, unpriced: unpriced.length, isEstimated };
}

export function clusterView(lists: ObjectLists): ClusterView {
  const view = new ClusterView(priceWithoutAws);
  for (const object of lists.of(stateSources.Node)) view.apply({ type: 'applied', kind: 'Node', object });
  for (const object of lists.of(nodeClaims)) view.apply({ type: 'applied', kind: 'NodeClaim', object });
  for (const object of lists.of(nodePools)) view.apply({ type: 'applied', kind: 'NodePool', object });
  for (const object of lists.of(stateSources.Pod) as readonly ViewedPod[])
    view.apply({ type: 'applied', kind: 'Pod', object });
  return view;
}
