import { concurrency, concurrencyRanges, controllerNames, nodeClassLabelKey } from '@karpenter/core/api';
import { isManagedClaim } from '@karpenter/core/lifecycle';
import type { Runnable } from '@karpenter/kube/runtime';
import { stateSources, writeObject } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { watchProviderIds } from '../instances/index.ts';

export type NodeHydrationContext = Pick<ControllerContext, 'client' | 'caches' | 'cloud' | 'settings'>;

/**
 * Adds the NodeClass label to Nodes of older releases. Controllers recognise managed Nodes by this label, so
 * without it such Nodes would be ignored.
 */
export function nodeHydration({ client, caches, cloud, settings }: NodeHydrationContext): Runnable {
  const index = watchProviderIds(caches);
  const reconcile = async (name: string) => {
    const node = index.nodes.get({ name });
    const claim = node === undefined ? undefined : index.claimOf(node);
    if (node === undefined || claim === undefined) return undefined;
    if (!isManagedClaim(claim, cloud.nodeClasses)) return undefined;
    const { nodeClassRef } = claim.spec;
    const key = nodeClassLabelKey(nodeClassRef);
    if (node.metadata.labels?.[key] === nodeClassRef.name) return undefined;
    await writeObject(client, stateSources.Node, node, {
      metadata: { labels: { [key]: nodeClassRef.name } },
    });
    return undefined;
  };
  return {
    controller: {
      name: controllerNames.nodeHydration,
      kind: stateSources.Node,
      concurrency: concurrency(concurrencyRanges.other, settings.cpuRequests),
      reconcile,
    },
    sources: index.nodeSources(),
  };
}
