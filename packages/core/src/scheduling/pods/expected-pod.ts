import type { PodView } from '../snapshot.ts';

/** The workload that has yet to create a pod. */
export interface ExpectedOwner {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** How many expected pods of a workload are in a list. */
export interface ExpectedCount {
  /** `ReplicaSet default/web`. */
  readonly owner: string;
  readonly pods: number;
}

/**
 * The uid names the owner, so that whoever has a planned node can say what it was sized for. The API server
 * gives no pod such a uid, so that no user can turn a real pod into a virtual one.
 */
const prefix = 'expected:';

export function expectedUid({ kind, namespace, name, uid }: ExpectedOwner, number: number): string {
  return `${prefix}${kind}/${namespace}/${name}/${uid}/${number}`;
}

export function isExpectedUid(uid: string): boolean {
  return uid.startsWith(prefix);
}

/** Whether a pod stands for one that its ReplicaSet or Job has yet to create. It exists only in plans. */
export function isExpectedPod({ metadata }: Pick<PodView, 'metadata'>): boolean {
  return isExpectedUid(metadata.uid);
}

/** The owner of an expected pod; undefined for the uid of any other pod. */
export function expectedOwner(uid: string): ExpectedOwner | undefined {
  if (!isExpectedUid(uid)) return undefined;
  const [kind = '', namespace = '', name = '', ...rest] = uid.slice(prefix.length).split('/');
  return { kind, namespace, name, uid: rest.slice(0, -1).join('/') };
}

/** The expected pods among these uids, by owner, the most first. */
export function expectedCounts(uids: readonly string[]): readonly ExpectedCount[] {
  const counts = new Map<string, number>();
  for (const uid of uids) {
    const owner = expectedOwner(uid);
    if (owner === undefined) continue;
    const text = `${owner.kind} ${owner.namespace}/${owner.name}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([owner, pods]) => ({ owner, pods })).sort((a, b) => b.pods - a.pods);
}
