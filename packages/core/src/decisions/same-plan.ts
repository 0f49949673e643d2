import type { NewNodeRecord, PlanRecord } from './replay-record.ts';

/**
 * Whether two plans decide the same for the same pods. Prices and later instance types do not count: they change
 * by themselves, and a pod that has no place for hours is not decided again each time.
 */
export function isSamePlan(a: PlanRecord, b: PlanRecord): boolean {
  return (
    areSame(
      a.rejections,
      b.rejections,
      (one, other) => one.pod === other.pod && one.message === other.message,
    ) &&
    areSame(a.newNodes, b.newNodes, isSameNode) &&
    areSame(
      a.placements,
      b.placements,
      (one, other) => one.node === other.node && haveSamePods(one, other),
    ) &&
    areSame(a.deferred, b.deferred, (one, other) => one === other)
  );
}

function isSameNode(one: NewNodeRecord, other: NewNodeRecord): boolean {
  return (
    one.nodePool === other.nodePool &&
    one.instanceTypes[0] === other.instanceTypes[0] &&
    haveSamePods(one, other)
  );
}

function haveSamePods(one: Pick<NewNodeRecord, 'pods'>, other: Pick<NewNodeRecord, 'pods'>): boolean {
  return areSame(one.pods, other.pods, (uid, otherUid) => uid === otherUid);
}

function areSame<T>(a: readonly T[], b: readonly T[], isSame: (one: T, other: T) => boolean): boolean {
  return a.length === b.length && a.every((one, index) => isSame(one, b[index] as T));
}
