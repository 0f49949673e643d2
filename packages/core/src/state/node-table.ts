import type { NodeClaim } from '../api/index.ts';
import type { ClusterNode, CsiNode } from './cluster-object.ts';
import { NodeEntry, type PoolShare } from './node-entry.ts';
import { claimIdOf, nodeIdOf } from './node-identity.ts';
import type { NodeState } from './node-state.ts';
import { OrderedMap } from './ordered-map.ts';
import type { PodState } from './pod-state.ts';
import type { PoolTotals } from './pool-totals.ts';
import { Residents } from './residents.ts';

/**
 * Nodes, NodeClaims and the pods on them, joined by provider id and node name. Changes only note which entries
 * are out of date; reading brings those up to date and leaves all others the objects they were.
 */
export class NodeTable {
  readonly #entries = new Map<string, NodeEntry>();
  readonly #states = new OrderedMap<NodeState>();
  readonly #outdated = new Set<string>();
  /** Where an object is filed, by its name. */
  readonly #idOfNode = new Map<string, string>();
  readonly #idOfClaim = new Map<string, string>();
  readonly #residents = new Map<string, Residents>();
  readonly #volumeLimits = new Map<string, Readonly<Record<string, number>>>();
  readonly #shares = new Map<string, PoolShare>();
  readonly #totals: PoolTotals;
  readonly #onMark: (nodeClaim: string) => void;

  /** `onMark` is told, by name, of claims whose node is marked for deletion now, or no longer. */
  constructor(totals: PoolTotals, onMark: (nodeClaim: string) => void) {
    this.#totals = totals;
    this.#onMark = onMark;
  }

  /** In order of their ids. */
  states(): readonly NodeState[] {
    for (const id of this.#outdated) this.#refresh(id);
    this.#outdated.clear();
    return this.#states.values();
  }

  putNode(node: ClusterNode): void {
    this.#file(this.#idOfNode, node.metadata.name, nodeIdOf(node), (entry) =>
      entry.nodes.set(node.metadata.name, node),
    );
  }

  removeNode({ metadata: { name } }: ClusterNode): void {
    this.#file(this.#idOfNode, name, undefined);
  }

  putClaim(claim: NodeClaim): void {
    const { name } = claim.metadata;
    this.#file(this.#idOfClaim, name, claimIdOf(claim), (entry) => entry.claims.set(name, claim));
  }

  removeClaim({ metadata: { name } }: NodeClaim): void {
    this.#file(this.#idOfClaim, name, undefined);
  }

  putPod(nodeName: string, pod: PodState): void {
    const residents = this.#residents.get(nodeName) ?? new Residents();
    residents.put(pod);
    this.#residents.set(nodeName, residents);
    this.#outdateNode(nodeName);
  }

  removePod(nodeName: string, key: string): void {
    const residents = this.#residents.get(nodeName);
    if (residents === undefined) return;
    residents.remove(key);
    if (residents.isEmpty) this.#residents.delete(nodeName);
    this.#outdateNode(nodeName);
  }

  /** A driver that says nothing has no limit; one that says no number can attach none. */
  putCsiNode({ metadata: { name }, spec }: CsiNode): void {
    const limits = (spec?.drivers ?? []).flatMap((driver) =>
      driver.allocatable === undefined ? [] : [[driver.name, driver.allocatable.count ?? 0] as const],
    );
    this.#volumeLimits.set(name, Object.fromEntries(limits));
    this.#outdateNode(name);
  }

  removeCsiNode({ metadata: { name } }: CsiNode): void {
    this.#volumeLimits.delete(name);
    this.#outdateNode(name);
  }

  /** A later promise never shortens an earlier one. */
  nominate(id: string, until: number): boolean {
    return this.#change(id, (entry) => {
      if ((entry.nominatedUntil ?? Number.NEGATIVE_INFINITY) >= until) return false;
      entry.nominatedUntil = until;
      return true;
    });
  }

  mark(id: string, isMarked: boolean): boolean {
    return this.#change(id, (entry) => entry.mark(isMarked));
  }

  setBufferPods(byNode: ReadonlyMap<string, number>): boolean {
    const changed = [...this.#entries.values()].filter(
      ({ id, bufferPods }) => (byNode.get(id) ?? 0) !== bufferPods,
    );
    for (const entry of changed) {
      entry.bufferPods = byNode.get(entry.id) ?? 0;
      this.#outdated.add(entry.id);
    }
    return changed.length > 0;
  }

  /** As `states` last gave it; absent while the claim is not launched. */
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

  /** Puts an object where it belongs now and takes it from where it was. */
  #file(
    ids: Map<string, string>,
    name: string,
    id: string | undefined,
    put: (entry: NodeEntry) => void = () => undefined,
  ): void {
    const before = ids.get(name);
    if (before !== undefined && before !== id) this.#unfile(ids, name, before);
    if (id === undefined) return;
    const entry = this.#entries.get(id) ?? new NodeEntry(id);
    put(entry);
    entry.forgetObjects();
    this.#entries.set(id, entry);
    ids.set(name, id);
    this.#outdated.add(id);
  }

  #unfile(ids: Map<string, string>, name: string, id: string): void {
    ids.delete(name);
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    (ids === this.#idOfNode ? entry.nodes : entry.claims).delete(name);
    entry.forgetObjects();
    if (entry.isEmpty) this.#entries.delete(id);
    this.#outdated.add(id);
  }

  #outdateNode(nodeName: string): void {
    const id = this.#idOfNode.get(nodeName);
    if (id !== undefined) this.#outdated.add(id);
  }

  #refresh(id: string): void {
    const entry = this.#entries.get(id);
    this.#count(id, entry?.share);
    this.#tellMark(id, entry);
    if (entry === undefined) {
      this.#states.delete(id);
      return;
    }
    const name = entry.node?.metadata.name ?? '';
    const residents = this.#residents.get(name);
    const volumeLimits = this.#volumeLimits.get(name);
    this.#states.set(id, entry.state({ residents, volumeLimits }));
  }

  #tellMark(id: string, entry: NodeEntry | undefined): void {
    const before = this.#states.get(id)?.markedForDeletion ?? false;
    if ((entry?.markedForDeletion ?? false) === before) return;
    for (const { metadata } of entry?.claims.values() ?? []) this.#onMark(metadata.name);
  }

  #count(id: string, share: PoolShare | undefined): void {
    const before = this.#shares.get(id);
    if (before === share) return;
    if (before !== undefined) this.#totals.subtract(before);
    if (share === undefined) this.#shares.delete(id);
    else {
      this.#shares.set(id, share);
      this.#totals.add(share);
    }
  }
}
