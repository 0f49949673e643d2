import { isAlreadyExists, keyOf, kinds, parseKey } from '@karpenter/kube/client';
import { type Again, changesOf } from '@karpenter/kube/runtime';
import type { StatefulSet } from 'kubernetes-types/apps/v1.js';
import { controllerOf } from '../../objects/object-key.ts';
import { again, type ControllerContext, type ControllerSetup, ignoreOvertaken } from '../controller-setup.ts';
import { isSameStatus } from '../object-status.ts';
import { ownedPods, podsOf } from '../owned-pods.ts';
import { PendingWrites } from '../pending-writes.ts';
import { PodWrites } from '../pod-writes.ts';
import { planStatefulSet } from './plan-stateful-set.ts';
import { claimsOfPod, statefulPod } from './stateful-pod.ts';

const unseenRetryMs = 50;

export function statefulSetController(context: ControllerContext): ControllerSetup {
  const { caches, client, clock } = context;
  const sets = caches.of(kinds.statefulSet);
  const claims = caches.of(kinds.persistentVolumeClaim);
  const pods = ownedPods(caches);
  const pending = new PendingWrites(pods, clock);
  const writes = new PodWrites(context, pending);

  async function reconcile(key: string): Promise<Again | undefined> {
    const set = sets.get(parseKey(key));
    if (set === undefined) return undefined;
    if (!pending.areSeen(key)) return again(unseenRetryMs);
    const plan = planStatefulSet(set, podsOf(pods, set), clock.now());
    if (!isSameStatus(set.status, plan.status)) {
      const patch = { type: 'merge', body: { status: plan.status } } as const;
      await client
        .patch(kinds.statefulSet, keyOf(set), patch, { subresource: 'status' })
        .catch(ignoreOvertaken);
    }
    const owner = { kind: kinds.statefulSet, metadata: set.metadata ?? {} };
    for (const { ordinal, revision } of plan.create) {
      const pod = statefulPod(set, ordinal, revision);
      await ensureClaims(set, pod.metadata?.name ?? '');
      await writes.create(key, owner, [pod]);
    }
    await writes.remove(key, owner, plan.remove);
    return again(plan.create.length + plan.remove.length > 0 ? unseenRetryMs : plan.lookAgainInMs);
  }

  async function ensureClaims(set: StatefulSet, podName: string): Promise<void> {
    for (const claim of claimsOfPod(set, podName)) {
      if (claims.get(keyOf(claim)) !== undefined) continue;
      try {
        await client.create(kinds.persistentVolumeClaim, claim);
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
    }
  }

  return {
    controller: { name: 'statefulset', concurrency: 5, reconcile },
    sources: [
      changesOf(sets),
      changesOf(pods, ({ object }) => {
        const owner = controllerOf(object);
        return owner?.kind === 'StatefulSet' ? [`${object.metadata?.namespace ?? ''}/${owner.name}`] : [];
      }),
    ],
  };
}
