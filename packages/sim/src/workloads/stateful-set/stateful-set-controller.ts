import { isAlreadyExists, keyOf, kinds } from '@karpenter/kube/client';
import type { StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { ControllerSetup, WorkloadControllerContext } from '../controller-setup.ts';
import { podSetController } from '../pod-set-controller.ts';
import { planStatefulSet } from './plan-stateful-set.ts';
import { claimsOfPod, statefulPod } from './stateful-pod.ts';

/** Keeps the pods of StatefulSets and creates their claims before them. Claims outlive the pods. */
export function statefulSetController(context: WorkloadControllerContext): ControllerSetup {
  const { caches, client } = context;
  const claims = caches.of(kinds.persistentVolumeClaim);

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

  return podSetController(context, {
    name: 'statefulset',
    kind: kinds.statefulSet,
    concurrency: 5,
    plan: planStatefulSet,
    async apply(set, plan, { key, owner, writes }) {
      for (const { ordinal, revision } of plan.create) {
        const pod = statefulPod(set, ordinal, revision);
        await ensureClaims(set, pod.metadata?.name ?? '');
        await writes.create(key, owner, [pod]);
      }
      return plan.create.length;
    },
  });
}
