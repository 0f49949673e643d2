import { controllerNames, stateTuning } from '@karpenter/core/api';
import { isNotFound } from '@karpenter/kube/client';
import { type Runnable, readsFrom, type Source } from '@karpenter/kube/runtime';
import { nodeClaims, stateSources } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

export type StateCollectionContext = Pick<ControllerContext, 'client' | 'caches' | 'cluster'>;

/**
 * Makes the state forget launches whose claims vanished before any watch told of them: created and deleted while the
 * watch was broken, say. Their pods would wait for a machine forever.
 */
export function stateNodeClaimCollection({ client, caches, cluster }: StateCollectionContext): Runnable {
  const claims = caches.of(stateSources.NodeClaim);
  const reconcile = async (name: string) => {
    if (claims.get({ name }) !== undefined) return undefined;
    try {
      await client.get(nodeClaims, { name });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      cluster.learn({ type: 'launchForgotten', nodeClaim: name });
    }
    return undefined;
  };
  const controller = { name: controllerNames.nodeClaimStateCollection, kind: nodeClaims, reconcile };
  return { controller, sources: [recordedLaunches(cluster), readsFrom(claims)] };
}

/** The names of claims some time after their launch was recorded. */
function recordedLaunches(cluster: StateCollectionContext['cluster']): Source {
  return {
    start: (enqueue) =>
      cluster.subscribe((event) => {
        if (event.type !== 'launchRecorded') return;
        enqueue(event.nodeClaim.metadata.name, stateTuning.nodeClaimCollectionDelay);
      }),
  };
}
