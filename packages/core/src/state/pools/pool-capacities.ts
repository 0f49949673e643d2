import type { QuantityTexts } from '../../values/index.ts';
import type { PoolShare } from '../nodes/node-entry.ts';
import { ResourceTotal } from './resource-total.ts';

interface Total {
  readonly resources: ResourceTotal;
  shares: number;
}

/** The summed capacity of the nodes of each NodePool. */
export class PoolCapacities {
  readonly #totals = new Map<string, Total>();
  #changed = new Set<string>();

  /** Capacity, with the number of nodes as `nodes`; empty for a pool without nodes. */
  of(nodePool: string): QuantityTexts {
    return this.#totals.get(nodePool)?.resources.texts() ?? {};
  }

  /** Returns the pools whose totals changed since the last call, and resets the set. */
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
