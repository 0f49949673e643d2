import { labelKeys, type NodeClaim, type NodePool } from '../../api/index.ts';
import { byText, OrderedMap } from '../collections/ordered-map.ts';
import { claimIdOf } from '../nodes/node-identity.ts';
import type { ProcessFact } from '../state-event.ts';
import type { PoolCapacities } from './pool-capacities.ts';
import { noClaims, type PoolClaims, type PoolState } from './pool-state.ts';

export interface PoolTrackerOptions {
  readonly totals: PoolCapacities;
  readonly isMarked: (id: string) => boolean;
}

/**
 * Tracks which NodeClaims belong to which NodePool, and how many nodes are reserved in it. A change only
 * marks pools as outdated; `states` rebuilds those and returns the same objects for all others.
 */
export class PoolTracker {
  readonly #options: PoolTrackerOptions;
  readonly #poolOf = new Map<string, string>();
  readonly #claims = new Map<string, OrderedMap<NodeClaim>>();
  readonly #pendingDisruption = new Set<string>();
  readonly #reserved = new Map<string, number>();
  readonly #states = new Map<string, PoolState>();
  readonly #outdated = new Set<string>();

  constructor(options: PoolTrackerOptions) {
    this.#options = options;
  }

  /** A claim without NodePool label belongs to no pool. */
  putClaim(claim: NodeClaim): void {
    const { name, labels } = claim.metadata;
    const nodePool = labels?.[labelKeys.nodePool] ?? '';
    if (this.#poolOf.get(name) !== nodePool) this.#forget(name);
    if (nodePool === '') return;
    const claims = this.#claims.get(nodePool) ?? new OrderedMap();
    claims.set(name, claim);
    this.#claims.set(nodePool, claims);
    this.#poolOf.set(name, nodePool);
    this.#outdated.add(nodePool);
  }

  removeClaim({ metadata: { name } }: NodeClaim): void {
    this.drop(name);
    this.#forget(name);
  }

  /** Called when the node of a claim becomes marked for deletion or unmarked. */
  markChanged(nodeClaim: string): void {
    const nodePool = this.#poolOf.get(nodeClaim);
    if (nodePool !== undefined) this.#outdated.add(nodePool);
  }

  /** A negative count releases; releasing more than was reserved releases everything. */
  reserve(nodePool: string, count: number): boolean {
    const before = this.#reserved.get(nodePool) ?? 0;
    const reserved = Math.max(0, before + count);
    if (reserved === 0) this.#reserved.delete(nodePool);
    else this.#reserved.set(nodePool, reserved);
    this.#outdated.add(nodePool);
    return reserved !== before;
  }

  /** A command has chosen the claim and marks its node once its replacements are created. */
  pick(nodeClaim: string): boolean {
    if (this.#pendingDisruption.has(nodeClaim)) return false;
    this.#pendingDisruption.add(nodeClaim);
    this.markChanged(nodeClaim);
    return true;
  }

  /** Undoes `pick`, because the command was dropped or has marked the node. */
  drop(nodeClaim: string): boolean {
    this.markChanged(nodeClaim);
    return this.#pendingDisruption.delete(nodeClaim);
  }

  facts(): readonly ProcessFact[] {
    const picked = [...this.#pendingDisruption];
    return [
      ...(picked.length > 0 ? [{ type: 'pendingDisruption', nodeClaims: picked } as const] : []),
      ...[...this.#reserved].map(
        ([nodePool, count]) => ({ type: 'nodesReserved', nodePool, count }) as const,
      ),
    ];
  }

  states(pools: readonly NodePool[]): ReadonlyMap<string, PoolState> {
    const { totals } = this.#options;
    for (const name of totals.takeChanged()) this.#outdated.add(name);
    for (const name of this.#outdated) this.#states.delete(name);
    this.#outdated.clear();
    const existing = pools.map(({ metadata }) => metadata.name);
    const names = new Set([...existing, ...this.#claims.keys(), ...totals.names(), ...this.#reserved.keys()]);
    return new Map([...names].sort(byText).map((name) => [name, this.#stateOf(name)]));
  }

  #stateOf(name: string): PoolState {
    const state = this.#states.get(name) ?? {
      name,
      resources: this.#options.totals.of(name),
      claims: this.#claimsOf(name),
      reserved: this.#reserved.get(name) ?? 0,
    };
    this.#states.set(name, state);
    return state;
  }

  #claimsOf(nodePool: string): PoolClaims {
    const claims = this.#claims.get(nodePool);
    if (claims === undefined) return noClaims;
    const lists: Record<keyof PoolClaims, string[]> = { active: [], deleting: [], pendingDisruption: [] };
    for (const claim of claims.values()) lists[this.#listOf(claim)].push(claim.metadata.name);
    return lists;
  }

  #listOf(claim: NodeClaim): keyof PoolClaims {
    if (this.#isDeleting(claim)) return 'deleting';
    return this.#pendingDisruption.has(claim.metadata.name) ? 'pendingDisruption' : 'active';
  }

  #isDeleting(claim: NodeClaim): boolean {
    const id = claimIdOf(claim);
    return claim.metadata.deletionTimestamp !== undefined || (id !== undefined && this.#options.isMarked(id));
  }

  #forget(nodeClaim: string): void {
    const nodePool = this.#poolOf.get(nodeClaim);
    if (nodePool === undefined) return;
    this.#poolOf.delete(nodeClaim);
    const claims = this.#claims.get(nodePool);
    claims?.delete(nodeClaim);
    if (claims?.size === 0) this.#claims.delete(nodePool);
    this.#outdated.add(nodePool);
  }
}
