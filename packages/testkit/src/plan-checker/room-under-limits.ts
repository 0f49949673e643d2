import { addTo, type ExactAmounts, largest, minus, sum } from './amounts.ts';
import { exceeded, oneNode, usageOf } from './limits.ts';
import type { PlanFacts } from './plan-facts.ts';
import type { PoolFacts, TypeFacts } from './pool-facts.ts';

/** Resources that a NodePool can certainly still add besides the new nodes of the plan. */
export class RoomUnderLimits {
  readonly #facts: PlanFacts;
  readonly #left = new Map<PoolFacts, ExactAmounts>();

  constructor(facts: PlanFacts) {
    this.#facts = facts;
  }

  admits(pool: PoolFacts, type: TypeFacts): boolean {
    const left = this.#left.get(pool) ?? this.#remaining(pool);
    this.#left.set(pool, left);
    for (const [name, nano] of left) {
      if (name === 'nodes' ? nano <= 0n : (type.capacity.get(name) ?? 0n) > nano) return false;
    }
    return true;
  }

  /**
   * The planner charges a node when it creates it, for the largest type that it then has, and the node may
   * lose that type when more pods join. So every new node may have been charged for any type of its NodePool
   * that fits the limits.
   */
  #remaining(pool: PoolFacts): ExactAmounts {
    const free = minus(pool.limits, usageOf(pool, this.#facts.cluster));
    const affordable = [...pool.types.values()].filter(
      ({ capacity }) => exceeded(free, capacity) === undefined,
    );
    const charge = sum(largest(affordable.map(({ capacity }) => capacity)), oneNode);
    const used = new Map<string, bigint>();
    for (const location of this.#facts.fresh) if (location.pool === pool) addTo(used, charge);
    return minus(free, used);
  }
}
