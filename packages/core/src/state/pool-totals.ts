import type { QuantityTexts } from '../values/index.ts';
import type { PoolShare } from './node-entry.ts';
import { ResourceTotal } from './resource-total.ts';

interface Total {
  readonly resources: ResourceTotal;
  shares: number;
}

/** What the nodes of each NodePool have together. */
export class PoolTotals {
  readonly #totals = new Map<string, Total>();
  #changed = new Set<string>();

  /** Capacity, with the number of nodes as `nodes`; empty for a pool without any. */
  of(nodePool: string): QuantityTexts {
    return this.#totals.get(nodePool)?.resources.texts() ?? {};
  }

  /** Pools whose totals are others since this was last asked. */
  takeChanged(): ReadonlySet<string> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  names(): readonly string[] {
    return [...this.#totals.keys()];
  }

  add({ nodePool, resources }: PoolShare): void {
    const total = this.#totals.get(nodePool) ?? { resources: new ResourceTotal(), shares: 0 };
    total.resources.add(resources);
    total.shares++;
    this.#changed.add(nodePool);
    this.#totals.set(nodePool, total);
  }

  subtract({ nodePool, resources }: PoolShare): void {
    const total = this.#totals.get(nodePool);
    if (total === undefined) return;
    total.resources.subtract(resources);
    total.shares--;
    this.#changed.add(nodePool);
    if (total.shares === 0) this.#totals.delete(nodePool);
  }
}
