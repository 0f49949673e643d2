import { keptReason, type NodeRow } from '@karpenter/core/cluster-view';
import type { PagePool, RowsDelta } from '@karpenter/core/page-api';
import { budgetedNodes, pageNode, pagePod, pagePool } from '@karpenter/core/page-rows';
import type { ViewedCluster } from '../../cluster-view/index.ts';
import { TouchedRows } from './touched-rows.ts';

const keptReasonsEveryMs = 1_000;

/**
 * What the page shows of a cluster, as deltas. The only consumer of the changes of its ClusterView: whoever else took
 * them would take them from the page.
 */
export class RowFeed {
  readonly #cluster: ViewedCluster;
  /** Why nodes are kept, as last sent. Events and times change it without a change of the row. */
  readonly #kept = new Map<string, string | undefined>();
  #keptCheckedAt = Number.NEGATIVE_INFINITY;
  /** When a budget of a NodePool next opens or closes. */
  readonly #budgetChanges = new Map<string, number>();
  #budgetedNodes: ReadonlyMap<string, number> | undefined;

  constructor(cluster: ViewedCluster) {
    this.#cluster = cluster;
  }

  /** The rows that changed since the last call. */
  take(now: number): TouchedRows {
    const { nodes, pods, pools } = this.#cluster.view.takeChanges();
    const touched = new TouchedRows();
    for (const { id } of nodes.changed) touched.nodes.add(id);
    for (const id of nodes.removed) touched.nodes.add(id);
    for (const { uid } of pods.changed) touched.pods.add(uid);
    for (const uid of pods.removed) touched.pods.add(uid);
    for (const { name } of pools.changed) touched.pools.add(name);
    for (const name of pools.removed) touched.pools.add(name);
    if (touched.nodes.size > 0) this.#budgetedNodes = undefined;
    if (now - this.#keptCheckedAt >= keptReasonsEveryMs) this.#checkKept(now, touched);
    for (const [name, at] of this.#budgetChanges) if (at <= now) touched.pools.add(name);
    return touched;
  }

  all(now: number): RowsDelta {
    const { nodes, pods, pools } = this.#cluster.view;
    return {
      isReset: true,
      at: now,
      nodes: { changed: [...nodes.values()].map((row) => this.#node(row, now)), removed: [] },
      pods: { changed: [...pods.values()].map(pagePod), removed: [] },
      pools: { changed: [...pools.keys()].flatMap((name) => this.#pool(name, now) ?? []), removed: [] },
    };
  }

  /** The rows as they are now, however long ago they were touched. */
  delta({ nodes, pods, pools }: TouchedRows, now: number): RowsDelta {
    const { view } = this.#cluster;
    return {
      isReset: false,
      at: now,
      nodes: changesOf(nodes, (id) => mapped(view.nodes.get(id), (row) => this.#node(row, now))),
      pods: changesOf(pods, (uid) => mapped(view.pods.get(uid), pagePod)),
      pools: changesOf(pools, (name) => this.#pool(name, now)),
    };
  }

  #node(row: NodeRow, now: number) {
    const reason = this.#reason(row, now);
    this.#kept.set(row.id, reason);
    return pageNode(row, reason);
  }

  #reason(row: NodeRow, now: number): string | undefined {
    const { view, events } = this.#cluster;
    return keptReason(row, { pods: view.pods, events, now });
  }

  #checkKept(now: number, touched: TouchedRows): void {
    this.#keptCheckedAt = now;
    const { nodes } = this.#cluster.view;
    for (const [id, row] of nodes) {
      const reason = this.#reason(row, now);
      if (reason !== this.#kept.get(id)) touched.nodes.add(id);
      this.#kept.set(id, reason);
    }
    for (const id of this.#kept.keys()) if (!nodes.has(id)) this.#kept.delete(id);
  }

  #pool(name: string, at: number): PagePool | undefined {
    const { view } = this.#cluster;
    const row = view.pools.get(name);
    this.#budgetChanges.delete(name);
    if (row === undefined) return undefined;
    this.#budgetedNodes ??= budgetedNodes(view.nodes.values());
    const page = pagePool(row, { total: this.#budgetedNodes.get(name) ?? 0, at });
    const changes = page.budgets.flatMap(({ changesAt }) => changesAt ?? []);
    if (changes.length > 0) this.#budgetChanges.set(name, Math.min(...changes));
    return page;
  }
}

function mapped<A, B>(value: A | undefined, map: (value: A) => B): B | undefined {
  return value === undefined ? undefined : map(value);
}

function changesOf<Row>(keys: ReadonlySet<string>, rowOf: (key: string) => Row | undefined) {
  const changed: Row[] = [];
  const removed: string[] = [];
  for (const key of keys) {
    const row = rowOf(key);
    if (row === undefined) removed.push(key);
    else changed.push(row);
  }
  return { changed, removed };
}
