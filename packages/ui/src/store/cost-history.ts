import type { Decision } from '@karpenter/core/decisions';
import type { ClusterCost } from './cluster-cost.ts';

export interface CostSample {
  readonly at: number;
  readonly hourly: number;
  readonly onDemandHourly?: number;
  readonly byPool: ReadonlyMap<string, number>;
  readonly byCapacityType: ReadonlyMap<string, number>;
}

const sampleEveryMs = 2_000;
const maxSamples = 1_800;

/** Money since the page was opened. When it is full, the older half keeps every second sample. */
export class CostHistory {
  #samples: CostSample[] = [];

  get samples(): readonly CostSample[] {
    return this.#samples;
  }

  add(at: number, cost: ClusterCost): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && at - last.at < sampleEveryMs) return;
    const { hourly, onDemandHourly, byPool, byCapacityType } = cost;
    this.#samples.push({ at, hourly, onDemandHourly, byPool, byCapacityType });
    if (this.#samples.length > maxSamples) this.#thin();
  }

  #thin(): void {
    const half = this.#samples.length >> 1;
    this.#samples = this.#samples.filter((_, index) => index >= half || index % 2 === 0);
  }
}

interface PriceChange {
  readonly pool: string;
  readonly capacityType: string;
  /** Dollars per hour that the decision added. */
  readonly added: number;
}

/**
 * Money before the first sample, by undoing the decisions one by one: an estimate, since nodes also leave without a
 * decision.
 */
export function pastFromDecisions(first: CostSample, decisions: readonly Decision[]): readonly CostSample[] {
  const earlier = decisions.filter(({ at }) => at < first.at).toSorted((a, b) => b.at - a.at);
  const past: CostSample[] = [];
  let after: CostSample = first;
  for (const decision of earlier) {
    const changes = priceChanges(decision);
    if (changes.length === 0) continue;
    past.push({ ...withoutOnDemand(after), at: decision.at });
    after = changes.reduce(undo, { ...withoutOnDemand(after), at: decision.at - 1 });
    past.push(after);
  }
  return past.reverse();
}

function priceChanges(decision: Decision): readonly PriceChange[] {
  if (decision.kind === 'launch') {
    const { hourly, nodePool = '', capacityType = '', failure } = decision;
    return hourly === undefined || failure !== undefined
      ? []
      : [{ pool: nodePool, capacityType, added: hourly }];
  }
  if (decision.kind !== 'disruption') return [];
  return decision.nodes.flatMap(({ hourly, nodePool = '', capacityType = '' }) =>
    hourly === undefined ? [] : [{ pool: nodePool, capacityType, added: -hourly }],
  );
}

function undo(sample: CostSample, { pool, capacityType, added }: PriceChange): CostSample {
  return {
    ...sample,
    hourly: Math.max(0, sample.hourly - added),
    byPool: less(sample.byPool, pool, added),
    byCapacityType: less(sample.byCapacityType, capacityType, added),
  };
}

function less(sums: ReadonlyMap<string, number>, key: string, amount: number): ReadonlyMap<string, number> {
  return new Map(sums).set(key, Math.max(0, (sums.get(key) ?? 0) - amount));
}

function withoutOnDemand({ onDemandHourly, ...sample }: CostSample): CostSample {
  return sample;
}
