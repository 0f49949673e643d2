import { keyOf, kinds, parseKey } from '@karpenter/kube/client';
import { type Again, changesOf } from '@karpenter/kube/runtime';
import type { ReplicaSet, ReplicaSetStatus } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { controllerOf, keyTextOf } from '../../objects/object-key.ts';
import { again, type ControllerContext, type ControllerSetup, ignoreOvertaken } from '../controller-setup.ts';
import { isSameStatus } from '../object-status.ts';
import { ownedPods, podsOf } from '../owned-pods.ts';
import { PendingWrites } from '../pending-writes.ts';
import { podFrom } from '../pod-template.ts';
import { PodWrites } from '../pod-writes.ts';
import { planReplicaSet } from './plan-replica-set.ts';

const unseenRetryMs = 50;

export function replicaSetController(context: ControllerContext): ControllerSetup {
  const { caches, clock, client } = context;
  const sets = caches.of(kinds.replicaSet, { namespace });
  const pods = ownedPods(caches);
  const pending = new PendingWrites(pods, clock);
  const writes = new PodWrites(context, pending);

  async function reconcile(key: string): Promise<Again | undefined> {
    const set = sets.get(parseKey(key));
    if (set === undefined) return undefined;
    if (!pending.areSeen(key)) return again(unseenRetryMs);
    const plan = planReplicaSet(set, podsOf(pods, set), clock.now());
    const owner = { kind: kinds.replicaSet, metadata: set.metadata ?? {} };
    await writeStatus(set, plan.status);
    await writes.adopt(owner, plan.adopt);
    await writes.release(owner, plan.release);
    const template = set.spec?.template ?? {};
    await writes.create(
      key,
      owner,
      Array.from({ length: plan.create }, () => podFrom(template, owner)),
    );
    await writes.remove(key, owner, plan.remove);
    return again(plan.create + plan.remove.length > 0 ? unseenRetryMs : plan.lookAgainInMs);
  }

  async function writeStatus(set: ReplicaSet, status: ReplicaSetStatus): Promise<void> {
    if (isSameStatus(set.status, status)) return;
    const patch = { type: 'merge', body: { status } } as const;
    await client.patch(kinds.replicaSet, keyOf(set), patch, { subresource: 'status' }).catch(ignoreOvertaken);
  }

  /** The set that owns the pod, or each set that might adopt it. */
  function* concerned(pod: Pod): Generator<string> {
    const owner = controllerOf(pod);
    const namespaceName = pod.metadata?.namespace ?? '';
    if (owner?.kind === 'ReplicaSet') yield `${namespaceName}/${owner.name}`;
    else if (owner === undefined)
      for (const set of sets.byIndex('namespace', namespaceName)) yield keyTextOf(set);
  }

  return {
    controller: { name: 'replicaset', concurrency: 5, reconcile },
    sources: [
      changesOf(sets),
      changesOf(pods, ({ object, previous }) => [
        ...concerned(object),
        ...(previous === undefined ? [] : concerned(previous)),
      ]),
    ],
  };
}

function namespace({ metadata }: ReplicaSet): readonly string[] {
  return [metadata?.namespace ?? ''];
}
