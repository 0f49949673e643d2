import { labelKeys, type NodePool } from '../../api/index.ts';
import type { QuantityTexts } from '../../values/index.ts';
import { addTo, type ResourceAxes } from '../context/resource-axes.ts';
import type { NodeView } from '../snapshot.ts';

/** What the nodes of the NodePool leave of its limits, by resource. Deleting nodes do not count, as in Karpenter. */
export function remainingLimits(
  axes: ResourceAxes,
  { metadata, spec }: NodePool,
  nodes: readonly NodeView[],
): ReadonlyMap<string, number> | undefined {
  if (spec.limits === undefined) return undefined;
  const own = nodes.filter(
    ({ nodePool, labels, deleting }) =>
      !deleting && (nodePool ?? labels[labelKeys.nodePool]) === metadata.name,
  );
  return new Map(
    Object.entries(spec.limits).map(([name, limit]) => {
      const used = own.reduce((sum, { capacity }) => sum + takenOfLimit(axes, capacity, name), 0);
      return [name, axes.amount(name, limit) - used];
    }),
  );
}

/**
 * What a node uses of a limit: its capacity of the resource, or one for the limit `nodes`, which Karpenter does not
 * count within a plan (ADR 0012).
 */
export function takenOfLimit(axes: ResourceAxes, capacity: QuantityTexts, name: string): number {
  if (name === 'nodes') return axes.unit(name);
  const text = capacity[name];
  return text === undefined ? 0 : axes.amount(name, text);
}

/** What is left of the limits of a NodePool during a plan. Without limits it allows everything. */
export class Allowance {
  /** In the order of `remaining`, as is `limitUsage` of types and offers. */
  readonly #left: Float64Array | undefined;

  constructor(remaining: ReadonlyMap<string, number> | undefined) {
    this.#left = remaining === undefined ? undefined : Float64Array.from(remaining.values());
  }

  get isLimited(): boolean {
    return this.#left !== undefined;
  }

  /** Limit by limit; undefined where there are none. */
  get left(): Float64Array | undefined {
    return this.#left?.slice();
  }

  /** @param limitUsage what one node uses of each limit */
  affords(limitUsage: Float64Array, times = 1): boolean {
    const left = this.#left;
    if (left === undefined) return true;
    for (let axis = 0; axis < left.length; axis++)
      if ((limitUsage[axis] ?? 0) * times > (left[axis] ?? 0)) return false;
    return true;
  }

  spend(limitUsage: Float64Array, times = 1): void {
    if (this.#left !== undefined) addTo(this.#left, limitUsage, -times);
  }
}
