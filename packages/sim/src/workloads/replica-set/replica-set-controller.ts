import { kinds } from '@karpenter/kube/client';
import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { controllerOf, keyTextOf } from '../../objects/object-key.ts';
import type { ControllerSetup, WorkloadControllerContext } from '../controller-setup.ts';
import { podSetController } from '../pod-set-controller.ts';
import { podFrom } from '../pod-template.ts';
import { planReplicaSet } from './plan-replica-set.ts';

/** Keeps the number of pods of each ReplicaSet. */
export function replicaSetController(context: WorkloadControllerContext): ControllerSetup {
  const sets = context.caches.of(kinds.replicaSet, { namespace });

  /** The ReplicaSets that might adopt an unowned pod. */
  function* adopters(pod: Pod): Generator<string> {
    if (controllerOf(pod) !== undefined) return;
    for (const set of sets.byIndex('namespace', pod.metadata?.namespace ?? '')) yield keyTextOf(set);
  }

  return podSetController(context, {
    name: 'replicaset',
    kind: kinds.replicaSet,
    concurrency: 5,
    plan: planReplicaSet,
    setsForUnownedPod: adopters,
    async apply(set, plan, { key, owner, writes }) {
      await writes.adopt(owner, plan.adopt);
      await writes.release(owner, plan.release);
      const template = set.spec?.template ?? {};
      const pods = Array.from({ length: plan.create }, () => podFrom(template, owner));
      await writes.create(key, owner, pods);
      return pods.length;
    },
  });
}

function namespace({ metadata }: ReplicaSet): readonly string[] {
  return [metadata?.namespace ?? ''];
}
