import { type Kind, type KubeObject, keyOf, parseKey } from '@karpenter/kube/client';
import { changesOf, type Instant, type ReconcileResult, type Source } from '@karpenter/kube/runtime';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { controllerOf } from '../objects/object-key.ts';
import { readySince } from '../objects/pod-status.ts';
import {
  type ControllerSetup,
  ignoreNotFoundOrConflict,
  requeueIn,
  staleCacheRetryMs,
  type WorkloadControllerContext,
} from './controller-setup.ts';
import { isSameStatus } from './object-status.ts';
import { ownedPods, podsOf } from './owned-pods.ts';
import { PendingWrites } from './pending-writes.ts';
import type { PodOwner } from './pod-template.ts';
import { PodWrites } from './pod-writes.ts';

/** What the plans of all workloads have in common. */
interface PodSetPlan {
  readonly status: object;
  readonly remove: readonly Pod[];
  readonly requeueAfterMs?: number;
}

/** The parts that differ between ReplicaSet, StatefulSet and DaemonSet. */
export interface PodSet<T extends KubeObject & { readonly status?: object }, Plan extends PodSetPlan> {
  readonly name: string;
  readonly kind: Kind<T>;
  readonly concurrency: number;
  /**
   * Decides what to do; gets the pods of the workload and the unowned pods of its namespace. Must be pure.
   */
  plan(set: T, pods: readonly Pod[], now: Instant): Plan;
  /** Applies the plan, except for status and deletions. Returns the number of created pods. */
  apply(set: T, plan: Plan, target: PodSetTarget): Promise<number>;
  /** Keys of the workloads to reconcile for a pod that has no owner of this kind; defaults to none. */
  setsForUnownedPod?(pod: Pod): Iterable<string>;
  /** Further triggers besides changes of the workloads and their pods. */
  readonly sources?: readonly Source[];
}

interface PodSetTarget {
  readonly key: string;
  readonly owner: PodOwner;
  readonly writes: PodWrites;
}

/** Whether a pod update may change a plan. Binding and container states before readiness do not. */
function affectsPlan(before: Pod, after: Pod): boolean {
  return (
    before.status?.phase !== after.status?.phase ||
    readySince(before) !== readySince(after) ||
    before.metadata?.deletionTimestamp !== after.metadata?.deletionTimestamp ||
    !isSame(before.metadata?.labels, after.metadata?.labels) ||
    !isSame(before.metadata?.ownerReferences, after.metadata?.ownerReferences)
  );
}

/** Parts that an update does not change are mostly the same object, because the cache shares them. */
function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}

/** A controller for workloads that own pods: plan, write the status, create pods, delete pods. */
export function podSetController<
  T extends KubeObject & { readonly status?: object },
  Plan extends PodSetPlan,
>(context: WorkloadControllerContext, podSet: PodSet<T, Plan>): ControllerSetup {
  const { caches, client, clock } = context;
  const { name, kind, concurrency } = podSet;
  const sets = caches.of(kind);
  const pods = ownedPods(caches);
  const pending = new PendingWrites(pods, clock);
  const writes = new PodWrites(context, pending);

  async function reconcile(key: string): Promise<ReconcileResult | undefined> {
    const set = sets.get(parseKey(key));
    if (set === undefined) return undefined;
    if (!pending.areObserved(key)) return requeueIn(staleCacheRetryMs);
    const plan = podSet.plan(set, podsOf(pods, set), clock.now());
    const owner: PodOwner = { kind, metadata: set.metadata ?? {} };
    await writeStatus(set, plan.status);
    const made = await podSet.apply(set, plan, { key, owner, writes });
    await writes.remove(key, owner, plan.remove);
    return requeueIn(made + plan.remove.length > 0 ? staleCacheRetryMs : plan.requeueAfterMs);
  }

  async function writeStatus(set: T, status: object): Promise<void> {
    if (isSameStatus(set.status, status)) return;
    const patch = { type: 'merge', body: { status } } as const;
    await client.patch(kind, keyOf(set), patch, { subresource: 'status' }).catch(ignoreNotFoundOrConflict);
  }

  function* affected(pod: Pod): Generator<string> {
    const owner = controllerOf(pod);
    if (owner?.kind === kind.kind) yield `${pod.metadata?.namespace ?? ''}/${owner.name}`;
    else yield* podSet.setsForUnownedPod?.(pod) ?? [];
  }

  return {
    controller: { name, concurrency, reconcile },
    sources: [
      pending.deletions,
      changesOf(sets),
      ...(podSet.sources ?? []),
      changesOf(pods, ({ type, object, previous }) => {
        if (type === 'modified' && previous !== undefined && !affectsPlan(previous, object)) return [];
        return [...affected(object), ...(previous === undefined ? [] : affected(previous))];
      }),
    ],
  };
}
