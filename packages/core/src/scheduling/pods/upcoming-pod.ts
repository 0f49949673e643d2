import type { PodView } from '../snapshot.ts';

/** The workload that has yet to create a pod. */
export interface UpcomingOwner {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** How many upcoming pods of a workload are in a list. */
export interface UpcomingCount {
  /** `ReplicaSet default/web`. */
  readonly owner: string;
  readonly pods: number;
}

/**
 * The uid names the owner, so that whoever has a planned node can say what it was sized for. The API server
 * gives no pod such a uid, so that no user can turn a real pod into a virtual one.
 */
const prefix = 'upcoming:';

export function upcomingUid({ kind, namespace, name, uid }: UpcomingOwner, number: number): string {
  return `${prefix}${kind}/${namespace}/${name}/${uid}/${number}`;
}

export function isUpcomingUid(uid: string): boolean {
  return uid.startsWith(prefix);
}

/** Whether a pod stands for one that its ReplicaSet or Job has yet to create. It exists only in plans. */
export function isUpcomingPod({ metadata }: Pick<PodView, 'metadata'>): boolean {
  return isUpcomingUid(metadata.uid);
}

/** The owner of an upcoming pod; undefined for the uid of any other pod. */
export function upcomingOwner(uid: string): UpcomingOwner | undefined {
  if (!isUpcomingUid(uid)) return undefined;
  const [kind = '', namespace = '', name = '', ...rest] = uid.slice(prefix.length).split('/');
  return { kind, namespace, name, uid: rest.slice(0, -1).join('/') };
}

/** The upcoming pods among these uids, by owner, the most first. */
export function upcomingCounts(uids: readonly string[]): readonly UpcomingCount[] {
  const counts = new Map<string, number>();
  for (const uid of uids) {
    const owner = upcomingOwner(uid);
    if (owner === undefined) continue;
    const text = `${owner.kind} ${owner.namespace}/${owner.name}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([owner, pods]) => ({ owner, pods })).sort((a, b) => b.pods - a.pods);
}
