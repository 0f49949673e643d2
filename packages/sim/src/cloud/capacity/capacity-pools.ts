import { instanceType } from '@karpenter/ec2-catalogue';
import type { Clock } from '@karpenter/kube/runtime';
import type { FaultBoard } from '../faults/fault-board.ts';
import type { PoolDepth } from '../faults/faults.ts';
import { matchesPattern } from '../world/wildcard.ts';
import { fractionOf } from './fraction.ts';

/** Machines of one type in one zone, sold in one way. */
export interface Pool {
  readonly type: string;
  readonly zone: string;
  readonly capacityType: 'on-demand' | 'spot';
}

/** How long a pool keeps its depth before it changes. */
export const depthPeriodMs = 600_000;

/** vCPUs for sale in a pool, on average. */
const usualVcpus = { 'on-demand': 6_000, spot: 3_000 };
/** Machines with accelerators are scarce. */
const acceleratedShare = 0.1;

export interface SavedPools {
  /** By the key of the pool. */
  readonly used: readonly (readonly [string, number])[];
  /** Depths set by hand. */
  readonly fixed: readonly (readonly [string, number])[];
}

export interface CapacityPoolsOptions {
  readonly seed: number;
  readonly clock: Clock;
  readonly faults: FaultBoard;
  readonly saved?: SavedPools | undefined;
}

/**
 * How much there is of everything. Depth is a function of the seed and the time, so that it does not depend on
 * who asks when; what is in use is counted.
 */
export class CapacityPools {
  readonly #seed: number;
  readonly #clock: Clock;
  readonly #faults: FaultBoard;
  readonly #used: Map<string, number>;
  readonly #fixed: Map<string, number>;

  constructor({ seed, clock, faults, saved }: CapacityPoolsOptions) {
    this.#seed = seed;
    this.#clock = clock;
    this.#faults = faults;
    this.#used = new Map(saved?.used);
    this.#fixed = new Map(saved?.fixed);
  }

  save(): SavedPools {
    return { used: [...this.#used].filter(([, count]) => count !== 0), fixed: [...this.#fixed] };
  }

  depth(pool: Pool): number {
    const ruled = this.#faults.current.capacity.find((rule) => governs(rule, pool));
    return this.#fixed.get(keyOf(pool)) ?? ruled?.depth ?? this.#naturalDepth(pool);
  }

  inUse(pool: Pool): number {
    return this.#used.get(keyOf(pool)) ?? 0;
  }

  available(pool: Pool): number {
    return Math.max(0, this.depth(pool) - this.inUse(pool));
  }

  /** How many more run than there is room for, since pools also shrink. */
  excess(pool: Pool): number {
    return Math.max(0, this.inUse(pool) - this.depth(pool));
  }

  take(pool: Pool): boolean {
    if (this.available(pool) < 1) return false;
    this.#used.set(keyOf(pool), this.inUse(pool) + 1);
    return true;
  }

  giveBack(pool: Pool): void {
    this.#used.set(keyOf(pool), this.inUse(pool) - 1);
  }

  /** Nothing more to be had until it is refilled. */
  drain(pool: Pool): void {
    this.#fixed.set(keyOf(pool), 0);
  }

  /** To a given depth, or back to its own. */
  refill(pool: Pool, depth?: number): void {
    if (depth === undefined) this.#fixed.delete(keyOf(pool));
    else this.#fixed.set(keyOf(pool), depth);
  }

  #naturalDepth(pool: Pool): number {
    const info = instanceType(pool.type);
    if (info === undefined) return 0;
    const isAccelerated = info.GpuInfo ?? info.NeuronInfo ?? info.InferenceAcceleratorInfo;
    const share = isAccelerated === undefined ? 1 : acceleratedShare;
    const period = Math.floor(this.#clock.now() / depthPeriodMs);
    const size = 0.5 + this.#fraction(keyOf(pool));
    const tide = 0.75 + this.#fraction(`${keyOf(pool)} ${period}`) / 2;
    return Math.round((usualVcpus[pool.capacityType] * share * size * tide) / info.VCpuInfo.DefaultVCpus);
  }

  #fraction(text: string): number {
    return fractionOf(`${this.#seed} ${text}`);
  }
}

function keyOf({ type, zone, capacityType }: Pool): string {
  return `${type}/${zone}/${capacityType}`;
}

function governs({ types, zones, capacityTypes }: PoolDepth, pool: Pool): boolean {
  return (
    matchesPattern(types, pool.type) &&
    matchesPattern(zones, pool.zone) &&
    matchesPattern(capacityTypes, pool.capacityType)
  );
}
