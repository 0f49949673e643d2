import {
  concurrency,
  concurrencyRanges,
  controllerNames,
  disruptedTaint,
  isConditionTrue,
  type NodePool,
  provisioningTuning,
} from '@karpenter/core/api';
import { passedOverCause } from '@karpenter/core/pending-pods';
import { isSameTaint } from '@karpenter/core/values';
import type { CacheChange } from '@karpenter/kube/cache';
import { keyText, kinds, parseKey } from '@karpenter/kube/client';
import { changesOf, type Runnable, waitsFor } from '@karpenter/kube/runtime';
import { stateSources } from '../cluster/index.ts';
import type { ControllerContext, PlanTrigger } from '../context/index.ts';

type TriggerContext = Pick<ControllerContext, 'caches' | 'cluster' | 'clock' | 'settings'>;

const requeue = { requeueAfter: provisioningTuning.triggerRequeue };

/**
 * The controller `provisioner.trigger.pod`: triggers a plan for each provisionable pod, every ten seconds
 * until the pod is no longer provisionable, and at once when a NodePool becomes ready.
 */
export function podTrigger(
  { caches, cluster, clock, settings }: TriggerContext,
  plans: PlanTrigger,
): Runnable {
  const pods = caches.of(stateSources.Pod);
  // Uids of pods that were pending before this process became leader: they do not extend the batch window (ADR 0036).
  // A pod that comes later may be the first of many.
  const pendingAtStart = new Set<string>();
  return {
    controller: {
      name: controllerNames.podTrigger,
      kind: kinds.pod,
      concurrency: concurrency(concurrencyRanges.other, settings.cpuRequests),
      reconcile: async (key) => {
        const pod = pods.get(parseKey(key));
        if (pod === undefined || passedOverCause(pod) !== undefined) return undefined;
        const { uid } = pod.metadata;
        // The scheduling decision duration of the pod metrics starts here.
        cluster.learn({ type: 'podsAcknowledged', pods: [uid], at: clock.now() });
        plans.trigger(uid, pendingAtStart.delete(uid));
        return requeue;
      },
    },
    sources: [
      waitsFor(async (signal) => {
        await pods.waitForSync(signal);
        for (const { metadata } of cluster.snapshot().pendingPods) pendingAtStart.add(metadata.uid);
      }),
      changesOf(pods),
      changesOf(caches.of(stateSources.NodePool), (change) =>
        hasBecomeReady(change) ? cluster.snapshot().pendingPods.map(({ metadata }) => keyText(metadata)) : [],
      ),
    ],
  };
}

function hasBecomeReady({ type, object, previous }: CacheChange<NodePool>): boolean {
  return type !== 'deleted' && isReady(object) && !isReady(previous);
}

function isReady(pool: NodePool | undefined): boolean {
  return isConditionTrue({ conditions: pool?.status?.conditions ?? [] }, 'Ready');
}

/**
 * The controller `provisioner.trigger.node`: triggers a plan for each disrupted node. Its pods still run and
 * are not pending, but need a place elsewhere before they are evicted.
 */
export function nodeTrigger({ caches, settings }: TriggerContext, plans: PlanTrigger): Runnable {
  const nodes = caches.of(stateSources.Node);
  return {
    controller: {
      name: controllerNames.nodeTrigger,
      kind: kinds.node,
      concurrency: concurrency(concurrencyRanges.other, settings.cpuRequests),
      reconcile: async (key) => {
        const node = nodes.get(parseKey(key));
        const isDisrupted = node?.spec?.taints?.some((taint) => isSameTaint(taint, disruptedTaint)) ?? false;
        if (node === undefined || !isDisrupted) return undefined;
        plans.trigger(node.metadata.uid ?? '');
        return requeue;
      },
    },
    sources: [changesOf(nodes)],
  };
}
