import type { NodeClaim } from '../../api/index.ts';
import type { ClusterNode, CsiNode } from '../cluster-object.ts';
import { OrderedMap } from '../collections/ordered-map.ts';
import { BoundPods } from '../pods/bound-pods.ts';
import type { PodState } from '../pods/pod-state.ts';
import type { PoolCapacities } from '../pools/pool-capacities.ts';
import type { ProcessFact } from '../state-event.ts';
import { NodeEntry, type PoolShare } from './node-entry.ts';
import { claimIdOf, nodeIdOf } from './node-identity.ts';
import type { NodeState } from './node-state.ts';

/**
 * Joins Nodes, NodeClaims and pods into one entry per instance, by provider id and node name. A change only
 * marks entries as outdated; `states` rebuilds those and returns the same objects for all others.
 */
export class NodeTable {
  readonly #entries = new Map<string, NodeEntry>();
  readonly #states = new OrderedMap<NodeState>();
  readonly #outdated = new Set<string>();
  /** The entry that holds an object, by the name of the object. */
  readonly #idOfNode = new Map<string, string>();
  readonly #idOfClaim = new Map<string, string>();
  readonly #pods = new Map<string, BoundPods>();
  readonly #volumeLimits = new Map<string, Readonly<Record<string, number>>>();
  /** Ids of the nodes that each pod is nominated for, by uid. */
  readonly #nominated = new Map<string, Set<string>>();
  readonly #shares = new Map<string, PoolShare>();
  readonly #totals: PoolCapacities;
  readonly #onMark: (nodeClaim: string) => void;

  /** Calls `onMark` with the name of each claim whose node becomes marked for deletion or unmarked. */
  constructor(totals: PoolCapacities, onMark: (nodeClaim: string) => void) {
    this.#totals = totals;
    this.#onMark = onMark;
  }

  /** Sorted by id. */
  states(): readonly NodeState[] {
    this.refresh();
    return this.#states.values();
  }

  /** Builds the states of outdated entries, which brings the totals of NodePools up to date. */
  refresh(): void {
    for (const id of this.#outdated) this.#refresh(id);
    this.#outdated.clear();
  }

  putNode(node: ClusterNode): void {
    this.#assign(this.#idOfNode, node.metadata.name, nodeIdOf(node), (entry) =>
      entry.nodes.set(node.metadata.name, node),
    );
  }

  removeNode({ metadata: { name } }: ClusterNode): void {
    this.#assign(this.#idOfNode, name, undefined);
  }

  putClaim(claim: NodeClaim): void {
    const { name } = claim.metadata;
    this.#assign(this.#idOfClaim, name, claimIdOf(claim), (entry) => entry.claims.set(name, claim));
  }

  removeClaim({ metadata: { name } }: NodeClaim): void {
    this.#assign(this.#idOfClaim, name, undefined);
  }

  putPod(nodeName: string, pod: PodState): void {
    const pods = this.#pods.get(nodeName) ?? new BoundPods();
    pods.put(pod);
    this.#pods.set(nodeName, pods);
    this.#markOutdated(nodeName);
  }

  removePod(nodeName: string, key: string): void {
    const pods = this.#pods.get(nodeName);
    if (pods === undefined) return;
    pods.remove(key);
    if (pods.isEmpty) this.#pods.delete(nodeName);
    this.#markOutdated(nodeName);
  }

  /**
   * As in Kubernetes: a driver without `allocatable` has no limit, one without `count` can attach nothing.
   */
  putCsiNode({ metadata: { name }, spec }: CsiNode): void {
    const limits = (spec?.drivers ?? []).flatMap((driver) =>
      driver.allocatable === undefined ? [] : [[driver.name, driver.allocatable.count ?? 0] as const],
    );
    this.#volumeLimits.set(name, Object.fromEntries(limits));
    this.#markOutdated(name);
  }

  removeCsiNode({ metadata: { name } }: CsiNode): void {
    this.#volumeLimits.delete(name);
    this.#markOutdated(name);
  }

  /** Keeps a node until `until`; if a pod is named, only until that is bound or gone. */
  nominate(id: string, until: number, pod?: string): boolean {
    if (pod !== undefined && this.#entries.has(id)) {
      const nodes = this.#nominated.get(pod) ?? new Set();
      this.#nominated.set(pod, nodes.add(id));
    }
    return this.#change(id, (entry) => entry.nominations.add(until, pod));
  }

  /** Ends the nominations of a pod that is bound or gone. */
  endNominations(pod: string): void {
    for (const id of this.#nominated.get(pod) ?? []) {
      this.#entries.get(id)?.nominations.end(pod);
      this.#outdated.add(id);
    }
    this.#nominated.delete(pod);
  }

  mark(id: string, isMarked: boolean): boolean {
    return this.#change(id, (entry) => entry.mark(isMarked));
  }

  setBufferPods(byNode: ReadonlyMap<string, number>): boolean {
    // Nodes that are not listed have none: each pass replaces all counts, as in Karpenter.
    const changed = [...this.#entries.values()].filter(
      ({ id, bufferPods }) => (byNode.get(id) ?? 0) !== bufferPods,
    );
    for (const entry of changed) {
      entry.bufferPods = byNode.get(entry.id) ?? 0;
      this.#outdated.add(entry.id);
    }
    return changed.length > 0;
  }

  /** The facts that were applied to the nodes that exist. */
  facts(): readonly ProcessFact[] {
    const entries = [...this.#entries.values()];
    const marked = entries.filter(({ isMarked }) => isMarked).map(({ id }) => id);
    const withBufferPods = entries.filter(({ bufferPods }) => bufferPods > 0);
    const byNode = new Map(withBufferPods.map(({ id, bufferPods }) => [id, bufferPods]));
    return [
      ...(marked.length > 0 ? [{ type: 'markedForDeletion', nodes: marked } as const] : []),
      ...entries.flatMap(({ id, nominations }) =>
        nominations.list().map((each) => ({ type: 'nominated', nodes: [id], ...each }) as const),
      ),
      ...(byNode.size > 0 ? [{ type: 'bufferPodsPlaced', byNode } as const] : []),
    ];
  }

  /** The state that `states` returned last; undefined while the claim is not launched. */
  stateOfClaim(name: string): NodeState | undefined {
    const state = this.#states.get(this.#idOfClaim.get(name) ?? '');
    return state?.nodeClaim?.metadata.name === name ? state : undefined;
  }

  isMarked(id: string): boolean {
    return this.#entries.get(id)?.markedForDeletion ?? false;
  }

  claimNamesOf(id: string): readonly string[] {
    return (this.#entries.get(id)?.claims.values() ?? []).map(({ metadata }) => metadata.name);
  }

  #change(id: string, change: (entry: NodeEntry) => boolean): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined || !change(entry)) return false;
    this.#outdated.add(id);
    return true;
  }

  /** Moves an object to the entry with this id, or out of the table when `id` is undefined. */
  #assign(
    ids: Map<string, string>,
    name: string,
    id: string | undefined,
    put: (entry: NodeEntry) => void = () => undefined,
  ): void {
    const before = ids.get(name);
    // As in Karpenter, a Node that was entered under its name leaves that entry when its provider id appears.
    if (before !== undefined && before !== id) this.#unassign(ids, name, before);
    if (id === undefined) return;
    const entry = this.#entries.get(id) ?? new NodeEntry(id);
    put(entry);
    entry.forgetObjects();
    this.#entries.set(id, entry);
    ids.set(name, id);
    this.#outdated.add(id);
  }

  #unassign(ids: Map<string, string>, name: string, id: string): void {
    ids.delete(name);
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    (ids === this.#idOfNode ? entry.nodes : entry.claims).delete(name);
    entry.forgetObjects();
    if (entry.isEmpty) this.#entries.delete(id);
    this.#outdated.add(id);
  }

  #markOutdated(nodeName: string): void {
    const id = this.#idOfNode.get(nodeName);
    if (id !== undefined) this.#outdated.add(id);
  }

  #refresh(id: string): void {
    const entry = this.#entries.get(id);
    this.#count(id, entry?.share);
    // Before the new state is stored, because it compares with the old one.
    this.#reportMark(id, entry);
    if (entry === undefined) {
      this.#states.delete(id);
      return;
    }
    const name = entry.node?.metadata.name ?? '';
    const bound = this.#pods.get(name);
    const volumeLimits = this.#volumeLimits.get(name);
    this.#states.set(id, entry.state({ bound, volumeLimits }));
  }

  #reportMark(id: string, entry: NodeEntry | undefined): void {
    const before = this.#states.get(id)?.markedForDeletion ?? false;
    if ((entry?.markedForDeletion ?? false) === before) return;
    for (const { metadata } of entry?.claims.values() ?? []) this.#onMark(metadata.name);
  }

  #count(id: string, share: PoolShare | undefined): void {
    const before = this.#shares.get(id);
    // By identity: an entry makes a new share only when one of its objects has changed.
    if (before === share) return;
    if (before !== undefined) this.#totals.subtract(before);
    if (share === undefined) this.#shares.delete(id);
    else {
      this.#shares.set(id, share);
      this.#totals.add(share);
    }
  }
}
