import type { NodeClaim, NodePool } from '../api/index.ts';
import type { ClusterNode } from '../state/index.ts';
import { NodeIdentities } from './node-identities.ts';
import { type NodeRow, nodeRow } from './node-row.ts';
import { type PodCounts, PodTally } from './pod-counts.ts';
import { type PodRow, podRow, type ViewedPod } from './pod-row.ts';
import { PodsByNode } from './pods-by-node.ts';
import { type PoolRow, poolRow } from './pool-row.ts';
import type { PriceOf } from './price.ts';
import { type RowChanges, RowTable } from './row-table.ts';

/** The kinds that viewers watch. NodeClaims and NodePools may be missing: any cluster has nodes and pods. */
export interface ViewedObjects {
  readonly Node: ClusterNode;
  readonly NodeClaim: NodeClaim;
  readonly NodePool: NodePool;
  readonly Pod: ViewedPod;
}

export type ViewedKind = keyof ViewedObjects;

export type ViewEvent = { [K in ViewedKind]: KindEvent<K> }[ViewedKind];

interface KindEvent<K extends ViewedKind> {
  readonly type: 'applied' | 'deleted';
  readonly kind: K;
  readonly object: ViewedObjects[K];
}

export interface ViewChanges {
  readonly nodes: RowChanges<NodeRow>;
  readonly pods: RowChanges<PodRow>;
  readonly pools: RowChanges<PoolRow>;
}

/**
 * The read model of every viewer: rows for nodes, pods and NodePools, kept up to date event by event. An event
 * only marks the nodes and pools it touches; their rows are computed when somebody reads, so a burst of pods on
 * one node costs one row.
 */
export class ClusterView {
  readonly #priceOf: PriceOf;
  readonly #identities = new NodeIdentities();
  readonly #podsByNode = new PodsByNode();
  readonly #tally = new PodTally();
  readonly #nodePools = new Map<string, NodePool>();
  readonly #nodeRows = new RowTable<NodeRow>();
  readonly #podRows = new RowTable<PodRow>();
  readonly #poolRows = new RowTable<PoolRow>();
  readonly #staleNodes = new Set<string>();
  readonly #stalePools = new Set<string>();

  constructor(priceOf: PriceOf) {
    this.#priceOf = priceOf;
  }

  apply(event: ViewEvent): void {
    if (event.kind === 'Pod') this.#applyPod(event);
    else if (event.kind === 'NodePool') this.#applyPool(event);
    else for (const id of this.#identities.apply(event)) this.#staleNodes.add(id);
  }

  /** By NodeRow.id. */
  get nodes(): ReadonlyMap<string, NodeRow> {
    this.#refresh();
    return this.#nodeRows.rows;
  }

  /** By uid. */
  get pods(): ReadonlyMap<string, PodRow> {
    return this.#podRows.rows;
  }

  /** Over all pods, with and without a node. */
  get podCounts(): PodCounts {
    return this.#tally.counts;
  }

  /** By name. */
  get pools(): ReadonlyMap<string, PoolRow> {
    this.#refresh();
    return this.#poolRows.rows;
  }

  /** What changed since the last call. */
  takeChanges(): ViewChanges {
    this.#refresh();
    return {
      nodes: this.#nodeRows.takeChanges(),
      pods: this.#podRows.takeChanges(),
      pools: this.#poolRows.takeChanges(),
    };
  }

  /** Prices changed: every node is priced again when it is next read. */
  reprice(): void {
    for (const id of this.#nodeRows.rows.keys()) this.#staleNodes.add(id);
  }

  #applyPod({ type, object }: Extract<ViewEvent, { readonly kind: 'Pod' }>): void {
    const before = this.#podRows.rows.get(object.metadata.uid);
    const row = type === 'deleted' ? undefined : podRow(object);
    if (row === undefined) this.#podRows.delete(object.metadata.uid);
    else this.#podRows.set(row.uid, row);
    this.#tally.remove(before);
    this.#tally.add(row);
    for (const nodeName of this.#podsByNode.replace(before, row)) {
      const id = this.#identities.ofNode(nodeName);
      if (id !== undefined) this.#staleNodes.add(id);
    }
  }

  #applyPool({ type, object }: Extract<ViewEvent, { readonly kind: 'NodePool' }>): void {
    const { name } = object.metadata;
    if (type === 'deleted') this.#nodePools.delete(name);
    else this.#nodePools.set(name, object);
    this.#stalePools.add(name);
  }

  #refresh(): void {
    for (const id of this.#staleNodes) this.#refreshNode(id);
    this.#staleNodes.clear();
    if (this.#stalePools.size === 0) return;
    const nodes = [...this.#nodeRows.rows.values()];
    for (const name of this.#stalePools) {
      const pool = this.#nodePools.get(name);
      if (pool === undefined) this.#poolRows.delete(name);
      else
        this.#poolRows.set(
          name,
          poolRow(
            pool,
            nodes.filter(({ nodePool }) => nodePool === name),
          ),
        );
    }
    this.#stalePools.clear();
  }

  #refreshNode(id: string): void {
    const before = this.#nodeRows.rows.get(id);
    const objects = this.#identities.objectsOf(id);
    const row =
      objects === undefined
        ? undefined
        : nodeRow({ ...objects, pods: this.#podsByNode.of(objects.node?.metadata.name) }, this.#priceOf);
    if (row === undefined) this.#nodeRows.delete(id);
    else this.#nodeRows.set(id, row);
    for (const pool of [before?.nodePool, row?.nodePool]) if (pool !== undefined) this.#stalePools.add(pool);
  }
}
