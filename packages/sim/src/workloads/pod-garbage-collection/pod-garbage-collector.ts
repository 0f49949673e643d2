import { durationMs } from '@karpenter/core/values';
import { keyOf, kinds } from '@karpenter/kube/client';
import { atStart, type Instant, type ReconcileResult } from '@karpenter/kube/runtime';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { isFinished } from '../../objects/pod-status.ts';
import { timestamp } from '../../objects/timestamp.ts';
import { type ControllerSetup, ignoreNotFound, type WorkloadControllerContext } from '../controller-setup.ts';
import { withWorkers } from '../pod-writes.ts';
import { lostPods } from './lost-pods.ts';

const period = durationMs(20_000);

/** Deletes pods that no kubelet will delete, at the interval of Kubernetes' pod garbage collector. */
export function podGarbageCollector({ caches, client, clock }: WorkloadControllerContext): ControllerSetup {
  const pods = caches.of(kinds.pod, { node: ({ spec }) => [spec?.nodeName ?? ''] });
  const nodes = caches.of(kinds.node);
  const missingNodes = new Map<string, Instant>();

  async function reconcile(): Promise<ReconcileResult> {
    const now = clock.now();
    const all = pods.list();
    noteMissing(all, now);
    const lost = lostPods(
      {
        pods: all,
        node: (name) => nodes.get({ name }),
        missingSince: (name) => missingNodes.get(name) ?? now,
      },
      now,
    );
    await withWorkers(lost.orphaned, async (pod) => {
      if (!isFinished(pod)) await markFailed(pod);
      await remove(pod);
    });
    await withWorkers([...lost.unscheduled, ...lost.outOfService, ...lost.surplus], remove);
    return { requeueAfter: period };
  }

  function noteMissing(all: readonly Pod[], now: Instant): void {
    const missing = new Set(
      all.map(({ spec }) => spec?.nodeName ?? '').filter((name) => name && !nodes.get({ name })),
    );
    for (const name of missingNodes.keys()) if (!missing.has(name)) missingNodes.delete(name);
    for (const name of missing) if (!missingNodes.has(name)) missingNodes.set(name, now);
  }

  async function markFailed(pod: Pod): Promise<void> {
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByPodGC',
      message: 'PodGC: node no longer exists',
      lastTransitionTime: timestamp(clock.now()),
    };
    const patch = {
      type: 'strategic',
      body: { status: { phase: 'Failed', conditions: [condition] } },
    } as const;
    await client.patch(kinds.pod, keyOf(pod), patch, { subresource: 'status' }).catch(ignoreNotFound);
  }

  async function remove(pod: Pod): Promise<void> {
    await client.delete(kinds.pod, keyOf(pod), { gracePeriodSeconds: 0 }).catch(ignoreNotFound);
  }

  return {
    controller: { name: 'pod.garbagecollection', reconcile },
    sources: [
      atStart('pods'),
      {
        start: () => () => undefined,
        ready: (signal) =>
          Promise.all([pods.waitForSync(signal), nodes.waitForSync(signal)]).then(() => undefined),
      },
    ],
  };
}
