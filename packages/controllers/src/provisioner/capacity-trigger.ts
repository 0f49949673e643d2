import { controllerNames, type NodeClaim, type NodePool } from '@karpenter/core/api';
import { durationMs } from '@karpenter/core/values';
import type { CacheChange, WatchCache } from '@karpenter/kube/cache';
import type { KubeObject } from '@karpenter/kube/client';
import type { Runnable, Source } from '@karpenter/kube/runtime';
import { stateSources } from '../cluster/index.ts';
import type { ControllerContext, PlanTrigger } from '../context/index.ts';

type CapacityContext = Pick<ControllerContext, 'caches' | 'cluster'>;

const name = controllerNames.capacityTrigger;
/** Changes within this time trigger one reconcile: launches come in bursts, and each reconcile takes a snapshot. */
const coalescingDelay = durationMs(500);

/**
 * The controller `provisioner.trigger.capacity`: triggers a plan for the pods that the last one left without a place,
 * as soon as something changed that may have been the reason. A NodeClaim that has launched has a zone, which pods with
 * anti-affinity to its pods wait for, and counts less against limits than before; one that is gone no longer counts; a
 * changed NodePool may have higher limits. Without it such pods would wait up to ten seconds for their own requeue each
 * time (ADR 0023).
 */
export function capacityTrigger({ caches, cluster }: CapacityContext, plans: PlanTrigger): Runnable {
  return {
    controller: {
      name,
      reconcile: async () => {
        for (const { metadata } of cluster.snapshot().pendingPods) plans.trigger(metadata.uid);
        return undefined;
      },
    },
    sources: [
      delayedChangesOf(caches.of(stateSources.NodeClaim), (change) => isGone(change) || hasLaunched(change)),
      delayedChangesOf(caches.of(stateSources.Node), isGone),
      delayedChangesOf(caches.of(stateSources.NodePool), hasNewSpec),
    ],
  };
}

function delayedChangesOf<T extends KubeObject>(
  cache: WatchCache<T>,
  isRelevant: (change: CacheChange<T>) => boolean,
): Source {
  return {
    start: (enqueue) =>
      cache.subscribe((change) => {
        if (isRelevant(change)) enqueue(name, coalescingDelay);
      }),
    ready: (signal) => cache.waitForSync(signal),
  };
}

function isGone({ type }: CacheChange<KubeObject>): boolean {
  return type === 'deleted';
}

function hasLaunched({ type, object, previous }: CacheChange<NodeClaim>): boolean {
  return type === 'modified' && providerIdOf(object) !== '' && providerIdOf(previous) === '';
}

function providerIdOf(claim: NodeClaim | undefined): string {
  return claim?.status?.providerID ?? '';
}

function hasNewSpec({ type, object, previous }: CacheChange<NodePool>): boolean {
  return type === 'modified' && object.metadata.generation !== previous?.metadata.generation;
}
