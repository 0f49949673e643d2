import { concurrency, concurrencyRanges, controllerNames, nodeClassLabelKey } from '@karpenter/core/api';
import { isManagedClaim } from '@karpenter/core/lifecycle';
import { changesOf, type Runnable } from '@karpenter/kube/runtime';
import { nodeClaims, stateSources, writeObject } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

export type ClaimHydrationContext = Pick<ControllerContext, 'client' | 'caches' | 'cloud' | 'settings'>;

/** Adds the NodeClass label to NodeClaims of older releases. */
export function nodeClaimHydration({ client, caches, cloud, settings }: ClaimHydrationContext): Runnable {
  const claims = caches.of(stateSources.NodeClaim);
  const reconcile = async (name: string) => {
    const claim = claims.get({ name });
    if (claim === undefined || !isManagedClaim(claim, cloud.nodeClasses)) return undefined;
    const { nodeClassRef } = claim.spec;
    const key = nodeClassLabelKey(nodeClassRef);
    if (claim.metadata.labels?.[key] === nodeClassRef.name) return undefined;
    await writeObject(client, nodeClaims, claim, { metadata: { labels: { [key]: nodeClassRef.name } } });
    return undefined;
  };
  return {
    controller: {
      name: controllerNames.nodeClaimHydration,
      kind: nodeClaims,
      concurrency: concurrency(concurrencyRanges.other, settings.cpuRequests),
      reconcile,
    },
    sources: [changesOf(claims)],
  };
}
