import type { NodeClaim, NodePool } from '../api/index.ts';
import { claimIdOf } from './node-identity.ts';
import { byText } from './ordered-map.ts';
import { claimsByPool, noClaims, type PoolState } from './pool-state.ts';
import type { PoolTotals } from './pool-totals.ts';

export interface PoolBookOptions {
  readonly totals: PoolTotals;
  readonly isMarked: (id: string) => boolean;
}

/** Who belongs to which NodePool, and what is promised of it. */
export class PoolBook {
  readonly #options: PoolBookOptions;
  readonly #pendingDisruption = new Set<string>();
  readonly #reserved = new Map<string, number>();

  constructor(options: PoolBookOptions) {
    this.#options = options;
  }

  /** A negative count gives back; more than was taken gives back all. */
  reserve(nodePool: string, count: number): boolean {
    const before = this.#reserved.get(nodePool) ?? 0;
    const reserved = Math.max(0, before + count);
    if (reserved === 0) this.#reserved.delete(nodePool);
    else this.#reserved.set(nodePool, reserved);
    return reserved !== before;
  }

  /** A command has picked the claim, and will mark its node when all is prepared. */
  pick(nodeClaim: string): boolean {
    if (this.#pendingDisruption.has(nodeClaim)) return false;
    this.#pendingDisruption.add(nodeClaim);
    return true;
  }

  drop(nodeClaim: string): boolean {
    return this.#pendingDisruption.delete(nodeClaim);
  }

  states(pools: readonly NodePool[], claims: readonly NodeClaim[]): ReadonlyMap<string, PoolState> {
    const { totals } = this.#options;
    const lists = claimsByPool(claims, {
      isDeleting: (claim) => this.#isDeleting(claim),
      isPending: ({ metadata }) => this.#pendingDisruption.has(metadata.name),
    });
    const existing = pools.map(({ metadata }) => metadata.name);
    const names = new Set([...existing, ...lists.keys(), ...totals.names(), ...this.#reserved.keys()]);
    return new Map(
      [...names].sort(byText).map((name) => [
        name,
        {
          name,
          resources: totals.of(name),
          claims: lists.get(name) ?? noClaims,
          reserved: this.#reserved.get(name) ?? 0,
        },
      ]),
    );
  }

  #isDeleting(claim: NodeClaim): boolean {
    const id = claimIdOf(claim);
    return claim.metadata.deletionTimestamp !== undefined || (id !== undefined && this.#options.isMarked(id));
  }
}
