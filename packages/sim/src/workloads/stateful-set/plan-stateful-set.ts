import type { Instant } from '@karpenter/kube/runtime';
import type { StatefulSet, StatefulSetStatus } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { isControlledBy } from '../../objects/object-key.ts';
import { isAvailable, isFinished, isReady, isTerminating } from '../../objects/pod-status.ts';
import { resolveShare } from '../int-or-percent.ts';
import { templateHash } from '../pod-template.ts';
import { nextAvailability } from '../replica-set/plan-replica-set.ts';
import { firstOrdinal, ordinalOf, revisionLabel } from './stateful-pod.ts';

export interface StatefulSetPlan {
  readonly create: readonly { readonly ordinal: number; readonly revision: string }[];
  readonly remove: readonly Pod[];
  readonly status: StatefulSetStatus;
  readonly requeueAfterMs?: number;
}

interface Replica {
  readonly ordinal: number;
  readonly pod: Pod | undefined;
}

interface View {
  readonly set: StatefulSet;
  /** The desired replicas, by ordinal. */
  readonly replicas: readonly Replica[];
  /** Pods outside the desired ordinals, highest first. */
  readonly condemned: readonly Pod[];
  readonly current: string;
  readonly update: string;
  readonly now: Instant;
}

/** Decides the next step of a StatefulSet. A pure function of the objects and the time. */
export function planStatefulSet(set: StatefulSet, pods: readonly Pod[], now: Instant): StatefulSetPlan {
  const view = viewOf(set, pods, now);
  const steps = isTerminating(set) ? noSteps : nextSteps(view);
  const wait = nextAvailability(pods, set.spec?.minReadySeconds ?? 0, now);
  return { ...steps, status: statusOf(view), ...(wait !== undefined && { requeueAfterMs: wait }) };
}

type Steps = Pick<StatefulSetPlan, 'create' | 'remove'>;

const noSteps: Steps = { create: [], remove: [] };

function viewOf(set: StatefulSet, pods: readonly Pod[], now: Instant): View {
  const byOrdinal = new Map<number, Pod>();
  for (const pod of pods) {
    const ordinal = isControlledBy(pod, set) ? ordinalOf(set, pod) : undefined;
    if (ordinal !== undefined) byOrdinal.set(ordinal, pod);
  }
  const start = firstOrdinal(set);
  const count = set.spec?.replicas ?? 1;
  const wanted = Array.from({ length: count }, (_, index) => start + index);
  const isWanted = (ordinal: number) => ordinal >= start && ordinal < start + count;
  const surplus = [...byOrdinal].filter(([ordinal]) => !isWanted(ordinal)).sort(([a], [b]) => b - a);
  const update = `${set.metadata?.name ?? ''}-${templateHash(set.spec?.template)}`;
  return {
    set,
    replicas: wanted.map((ordinal) => ({ ordinal, pod: byOrdinal.get(ordinal) })),
    condemned: surplus.map(([, pod]) => pod),
    current: set.status?.currentRevision || update,
    update,
    now,
  };
}

/** New pods below the partition get the old revision. */
function revisionFor({ set, current, update }: View, ordinal: number): string {
  const partition = set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  return ordinal - firstOrdinal(set) < partition ? current : update;
}

function nextSteps(view: View): Steps {
  const { set, replicas, condemned } = view;
  const broken = replicas.flatMap(({ pod }) =>
    pod !== undefined && isFinished(pod) && !isTerminating(pod) ? [pod] : [],
  );
  const missing = replicas.filter(({ pod }) => pod === undefined);
  const create = missing.map(({ ordinal }) => ({ ordinal, revision: revisionFor(view, ordinal) }));
  const leaving = condemned.filter((pod) => !isTerminating(pod));
  if (set.spec?.podManagementPolicy === 'Parallel') {
    return { create, remove: [...broken, ...leaving, ...(create.length > 0 ? [] : outdated(view))] };
  }
  return orderedReady(view, broken, leaving);
}

/**
 * The OrderedReady policy: each pod waits until those before it are available, and the highest ordinal is
 * deleted first.
 */
function orderedReady(view: View, broken: readonly Pod[], leaving: readonly Pod[]): Steps {
  const blocked = view.replicas.find(({ pod }) => pod === undefined || !isUp(view, pod));
  if (blocked !== undefined) {
    const { ordinal, pod } = blocked;
    if (pod === undefined) return { create: [{ ordinal, revision: revisionFor(view, ordinal) }], remove: [] };
    if (broken.includes(pod)) return { create: [], remove: [pod] };
    return { create: [], remove: outdatedAndStuck(view, pod) };
  }
  if (view.condemned.length > 0) {
    const isOneLeaving = leaving.length < view.condemned.length;
    return { create: [], remove: isOneLeaving ? [] : leaving.slice(0, 1) };
  }
  return { create: [], remove: outdated(view) };
}

function isUp({ set, now }: View, pod: Pod): boolean {
  return !isTerminating(pod) && isAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
}

/**
 * Replaces an outdated pod that never becomes available, because it would block the very update that fixes
 * it.
 */
function outdatedAndStuck(view: View, pod: Pod): readonly Pod[] {
  return !isTerminating(pod) && isOutdated(view, pod) ? [pod] : [];
}

function isOutdated(view: View, pod: Pod): boolean {
  const ordinal = ordinalOf(view.set, pod) ?? 0;
  const wanted = revisionFor(view, ordinal);
  return wanted === view.update && pod.metadata?.labels?.[revisionLabel] !== wanted;
}

/** Outdated pods to replace, from the highest ordinal down, as far as maxUnavailable allows. */
function outdated(view: View): readonly Pod[] {
  const { set, replicas } = view;
  const { type = 'RollingUpdate', rollingUpdate } = set.spec?.updateStrategy ?? {};
  if (type !== 'RollingUpdate') return [];
  const allowed = Math.max(
    1,
    resolveShare(rollingUpdate?.maxUnavailable, { total: replicas.length, rounding: 'up', otherwise: 1 }),
  );
  const present = replicas.flatMap(({ pod }) => pod ?? []);
  const down = replicas.length - present.filter((pod) => isUp(view, pod)).length;
  const old = present.filter((pod) => !isTerminating(pod) && isOutdated(view, pod)).toReversed();
  return old.slice(0, Math.max(0, allowed - down));
}

function statusOf(view: View): StatefulSetStatus {
  const { set, replicas, condemned, current, update } = view;
  const present = [...replicas.flatMap(({ pod }) => pod ?? []), ...condemned].filter(
    (pod) => !isFinished(pod),
  );
  const isOf = (revision: string) => (pod: Pod) =>
    !isTerminating(pod) && pod.metadata?.labels?.[revisionLabel] === revision;
  const updated = present.filter(isOf(update)).length;
  const ready = present.filter(isReady).length;
  const partition = set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  const isComplete = partition === 0 && updated === replicas.length && ready === replicas.length;
  const currentRevision = isComplete ? update : current;
  return {
    observedGeneration: set.metadata?.generation ?? 0,
    replicas: present.length,
    readyReplicas: ready,
    availableReplicas: present.filter((pod) => isUp(view, pod)).length,
    currentReplicas: present.filter(isOf(currentRevision)).length,
    updatedReplicas: updated,
    currentRevision,
    updateRevision: update,
    collisionCount: set.status?.collisionCount ?? 0,
  };
}
