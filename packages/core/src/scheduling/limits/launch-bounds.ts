import type { Steps } from '../../yielding/index.ts';
import type { PlanContext } from '../context/plan-context.ts';
import type { ResourceAxes } from '../context/resource-axes.ts';
import type { NodeTemplate } from '../instance-types/node-template.ts';

/**
 * What the NodePools can launch at most and at least, for bounds that are read far more often than plans are made.
 * Computed as if no node counted against limits, because a removal frees what its nodes take of them.
 */
export class LaunchBounds {
  readonly #axes: ResourceAxes;
  readonly #templates: readonly NodeTemplate[];
  #unitPrices: Float64Array | undefined;
  #largestRoom: Float64Array | undefined;

  private constructor(axes: ResourceAxes, templates: readonly NodeTemplate[]) {
    this.#axes = axes;
    this.#templates = templates;
  }

  static *of({ axes, pools }: PlanContext): Steps<LaunchBounds> {
    const short = new Set(pools.templates.filter(excludesTypes).map(({ name }) => name));
    if (short.size === 0) return new LaunchBounds(axes, pools.templates);
    const empty = yield* pools.templatesBeside([], ({ metadata }) => short.has(metadata.name));
    return new LaunchBounds(axes, [...pools.templates.filter(({ name }) => !short.has(name)), ...empty]);
  }

  /** Resource by resource, the lowest price per unit among all offers; 0 for resources that no offer has. */
  get unitPrices(): Float64Array {
    this.#unitPrices ??= this.#lowestUnitPrices();
    return this.#unitPrices;
  }

  /** Resource by resource, the most that any offer of any pool has. */
  get largestRoom(): Float64Array {
    this.#largestRoom ??= this.#mostRoom();
    return this.#largestRoom;
  }

  #lowestUnitPrices(): Float64Array {
    const lowest = this.#axes.vector(undefined).fill(Number.POSITIVE_INFINITY);
    for (const { offers } of this.#templates)
      for (const { room, offering } of offers)
        for (const [axis, amount] of room.entries())
          if (amount > 0) lowest[axis] = Math.min(lowest[axis] ?? 0, offering.price / amount);
    return lowest.map((price) => (Number.isFinite(price) ? price : 0));
  }

  #mostRoom(): Float64Array {
    const largest = this.#axes.vector(undefined);
    for (const { offers } of this.#templates)
      for (const { room } of offers)
        for (let axis = 0; axis < largest.length; axis++)
          largest[axis] = Math.max(largest[axis] ?? 0, room[axis] ?? 0);
    return largest;
  }
}

/** Whether the limits of the pool exclude some of its types. */
export function excludesTypes({ remaining, types }: NodeTemplate): boolean {
  return remaining !== undefined && types.some(({ exceedsLimits }) => exceedsLimits);
}
