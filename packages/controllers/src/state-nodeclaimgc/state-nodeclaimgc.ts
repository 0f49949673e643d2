import { controllerNames, stateTuning } from '@karpenter/core/api';
import { type Runnable, readsFrom, type Source } from '@karpenter/kube/runtime';
import { nodeClaims, stateSources } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

export type StateCollectionContext = Pick<ControllerContext, 'client' | 'caches' | 'cluster'>;

/**
 * Forgets launches whose NodeClaim vanished before a watch showed it, for example created and deleted while
 * the watch was broken. The cluster state leaves the pods of a recorded launch out of plans, so they would wait
 * forever.
 */
export function stateNodeClaimCollection({ client, caches, cluster }: StateCollectionContext): Runnable {
  const claims = caches.of(stateSources.NodeClaim);
  const reconcile = async (name: string) => {
    if (claims.get({ name }) !== undefined) return undefined;
    // Asks the API server, since the claim may exist although the cache does not show it yet.
    const stored = await client.find(nodeClaims, { name });
    if (stored === undefined) cluster.learn({ type: 'launchForgotten', nodeClaim: name });
    return undefined;
  };
  const controller = { name: controllerNames.nodeClaimStateCollection, kind: nodeClaims, reconcile };
  return { controller, sources: [recordedLaunches(cluster), readsFrom(claims)] };
}

/**
 * Enqueues the name of each claim 15 s after its launch was recorded, when the watch has usually shown it.
 */
function recordedLaunches(cluster: StateCollectionContext['cluster']): Source {
  return {
    start: (enqueue) =>
      cluster.subscribe((event) => {
        if (event.type !== 'launchRecorded') return;
        enqueue(event.nodeClaim.metadata.name, stateTuning.nodeClaimCollectionDelay);
      }),
  };
}
