import type { PageNode, PagePod, PagePool, RowsDelta } from '@karpenter/core/page-api';
import { PhaseCounts } from './pod-phases.ts';
import { StoreChanges } from './store-changes.ts';

/** All rows of the cluster with the indexes that the page reads, changed in place by deltas. */
export class ClusterRows {
  readonly nodes = new Map<string, PageNode>();
  readonly pods = new Map<string, PagePod>();
  readonly pools = new Map<string, PagePool>();
  /** Pods without a node, that have not ended. */
  readonly pending = new Map<string, PagePod>();
  readonly phases = new PhaseCounts();
  readonly #podsByNode = new Map<string, Map<string, PagePod>>();
  readonly #idByNodeName = new Map<string, string>();
  readonly #followers = new Map<StoreChanges, () => void>();

  apply(delta: RowsDelta): void {
    if (delta.isReset) this.#clear();
    for (const id of delta.nodes.removed) this.#setNode(id, undefined);
    for (const node of delta.nodes.changed) this.#setNode(node.id, node);
    for (const uid of delta.pods.removed) this.#setPod(uid, undefined);
    for (const pod of delta.pods.changed) this.#setPod(pod.uid, pod);
    for (const name of delta.pools.removed) this.pools.delete(name);
    for (const pool of delta.pools.changed) this.pools.set(pool.name, pool);
    for (const wake of this.#followers.values()) wake();
  }

  podsOf({ nodeName }: PageNode): Iterable<PagePod> {
    return (nodeName === undefined ? undefined : this.#podsByNode.get(nodeName)?.values()) ?? [];
  }

  podCountOf({ nodeName }: PageNode): number {
    return (nodeName === undefined ? undefined : this.#podsByNode.get(nodeName)?.size) ?? 0;
  }

  nodeNamed(nodeName: string): PageNode | undefined {
    const id = this.#idByNodeName.get(nodeName);
    return id === undefined ? undefined : this.nodes.get(id);
  }

  /** Changes from now on; the caller clears what it has read. `wake` is called after each delta. */
  follow(wake: () => void): StoreChanges {
    const changes = new StoreChanges();
    this.#followers.set(changes, wake);
    return changes;
  }

  unfollow(changes: StoreChanges): void {
    this.#followers.delete(changes);
  }

  #clear(): void {
    for (const map of [this.nodes, this.pods, this.pools, this.pending]) map.clear();
    this.#podsByNode.clear();
    this.#idByNodeName.clear();
    this.phases.clear();
    for (const changes of this.#followers.keys()) {
      changes.clear();
      changes.isReset = true;
    }
  }

  #setNode(id: string, node: PageNode | undefined): void {
    const before = this.nodes.get(id);
    if (before?.nodeName !== undefined && this.#idByNodeName.get(before.nodeName) === id)
      this.#idByNodeName.delete(before.nodeName);
    if (node === undefined) this.nodes.delete(id);
    else {
      this.nodes.set(id, node);
      if (node.nodeName !== undefined) this.#idByNodeName.set(node.nodeName, id);
    }
    for (const changes of this.#followers.keys()) changes.nodes.add(id);
  }

  #setPod(uid: string, pod: PagePod | undefined): void {
    const before = this.pods.get(uid);
    if (pod === undefined) this.pods.delete(uid);
    else this.pods.set(uid, pod);
    this.phases.replace(before, pod);
    this.#movePod(before, pod);
    for (const changes of this.#followers.keys()) noteMove(changes, before, pod);
  }

  #movePod(before: PagePod | undefined, after: PagePod | undefined): void {
    if (before?.nodeName !== undefined) this.#podsByNode.get(before.nodeName)?.delete(before.uid);
    if (before !== undefined) this.pending.delete(before.uid);
    if (after?.nodeName !== undefined) {
      const pods = this.#podsByNode.get(after.nodeName) ?? new Map<string, PagePod>();
      pods.set(after.uid, after);
      this.#podsByNode.set(after.nodeName, pods);
    } else if (after !== undefined && isWaiting(after)) this.pending.set(after.uid, after);
  }
}

const isWaiting = ({ phase }: PagePod): boolean => phase === 'pending' || phase === 'terminating';

function noteMove(changes: StoreChanges, before: PagePod | undefined, after: PagePod | undefined): void {
  for (const pod of [before, after]) {
    if (pod === undefined) continue;
    if (pod.nodeName === undefined) changes.isPendingChanged = true;
    else changes.podsOf.add(pod.nodeName);
  }
  if (before !== undefined && before.nodeName === undefined && after?.nodeName !== undefined)
    changes.bound.add(after.uid);
}
