import { type Kind, type KubeObject, keyOf, parseKey } from '@karpenter/kube/client';
import { changesOf, type Instant, type ReconcileResult, type Source } from '@karpenter/kube/runtime';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { controllerOf } from '../objects/object-key.ts';
import { readySince } from '../objects/pod-status.ts';
import {
  again,
  type ControllerContext,
  type ControllerSetup,
  ignoreOvertaken,
  unseenRetryMs,
} from './controller-setup.ts';
import { isSameStatus } from './object-status.ts';
import { ownedPods, podsOf } from './owned-pods.ts';
import { PendingWrites } from './pending-writes.ts';
import type { Owner } from './pod-template.ts';
import { PodWrites } from './pod-writes.ts';

/** What every kind of set plans, whatever else. */
interface PodSetPlan {
  readonly status: object;
  readonly remove: readonly Pod[];
  readonly lookAgainInMs?: number;
}

/** What is particular to one kind of set. */
export interface PodSet<T extends KubeObject & { readonly status?: object }, Plan extends PodSetPlan> {
  readonly name: string;
  readonly kind: Kind<T>;
  readonly concurrency: number;
  /** Given the pods of the set, and those of its namespace that nobody owns. */
  plan(set: T, pods: readonly Pod[], now: Instant): Plan;
  /** Everything but writing the status and deleting pods; returns how many pods were made. */
  carryOut(set: T, plan: Plan, hands: PodSetHands): Promise<number>;
  /** Sets that a pod without this kind of owner concerns; defaults to none. */
  concernedByOthers?(pod: Pod): Iterable<string>;
  /** What makes it look beside changes of its sets and pods. */
  readonly sources?: readonly Source[];
}

export interface PodSetHands {
  readonly key: string;
  readonly owner: Owner;
  readonly writes: PodWrites;
}

/** Where a pod runs and how far it has come before it is ready changes no plan. */
function isNews(before: Pod, after: Pod): boolean {
  return (
    before.status?.phase !== after.status?.phase ||
    readySince(before) !== readySince(after) ||
    before.metadata?.deletionTimestamp !== after.metadata?.deletionTimestamp ||
    JSON.stringify([before.metadata?.labels, before.metadata?.ownerReferences]) !==
      JSON.stringify([after.metadata?.labels, after.metadata?.ownerReferences])
  );
}

/** Sets that keep pods: look at what is there, plan, write the status, then make and delete pods. */
export function podSetController<
  T extends KubeObject & { readonly status?: object },
  Plan extends PodSetPlan,
>(context: ControllerContext, podSet: PodSet<T, Plan>): ControllerSetup {
  const { caches, client, clock } = context;
  const { name, kind, concurrency } = podSet;
  const sets = caches.of(kind);
  const pods = ownedPods(caches);
  const pending = new PendingWrites(pods, clock);
  const writes = new PodWrites(context, pending);

  async function reconcile(key: string): Promise<ReconcileResult | undefined> {
    const set = sets.get(parseKey(key));
    if (set === undefined) return undefined;
    if (!pending.areSeen(key)) return again(unseenRetryMs);
    const plan = podSet.plan(set, podsOf(pods, set), clock.now());
    const owner: Owner = { kind, metadata: set.metadata ?? {} };
    await writeStatus(set, plan.status);
    const made = await podSet.carryOut(set, plan, { key, owner, writes });
    await writes.remove(key, owner, plan.remove);
    return again(made + plan.remove.length > 0 ? unseenRetryMs : plan.lookAgainInMs);
  }

  async function writeStatus(set: T, status: object): Promise<void> {
    if (isSameStatus(set.status, status)) return;
    const patch = { type: 'merge', body: { status } } as const;
    await client.patch(kind, keyOf(set), patch, { subresource: 'status' }).catch(ignoreOvertaken);
  }

  function* concerned(pod: Pod): Generator<string> {
    const owner = controllerOf(pod);
    if (owner?.kind === kind.kind) yield `${pod.metadata?.namespace ?? ''}/${owner.name}`;
    else yield* podSet.concernedByOthers?.(pod) ?? [];
  }

  return {
    controller: { name, concurrency, reconcile },
    sources: [
      changesOf(sets),
      ...(podSet.sources ?? []),
      changesOf(pods, ({ type, object, previous }) => {
        if (type === 'modified' && previous !== undefined && !isNews(previous, object)) return [];
        return [...concerned(object), ...(previous === undefined ? [] : concerned(previous))];
      }),
    ],
  };
}
