import { instanceType } from '@karpenter/ec2-catalogue';
import type { Clock } from '@karpenter/kube/runtime';
import type { FaultBoard } from '../faults/fault-board.ts';
import type { PoolDepth } from '../faults/faults.ts';
import { matchesPattern } from '../world/wildcard.ts';
import { fractionOf } from './fraction.ts';

/** A capacity pool: instances of one type in one zone with one capacity type. */
export interface Pool {
  readonly type: string;
  readonly zone: string;
  readonly capacityType: 'on-demand' | 'spot';
}

/** How long a pool keeps its depth. The spot market re-evaluates instances at the end of each period. */
export const depthPeriodMs = 600_000;

/** The average depth of a pool, in vCPUs. */
const averageVcpus = { 'on-demand': 6_000, spot: 3_000 };
/** Pools of accelerated types have only this share of the vCPUs, because they are scarce in EC2. */
const acceleratedShare = 0.1;

export interface SavedPools {
  /** By the key of the pool. */
  readonly used: readonly (readonly [string, number])[];
  /** Depths set by `drain` and `refill`. */
  readonly fixed: readonly (readonly [string, number])[];
}

export interface CapacityPoolsOptions {
  readonly seed: number;
  readonly clock: Clock;
  readonly faults: FaultBoard;
  readonly saved?: SavedPools | undefined;
}

/**
 * How many instances each capacity pool has and how many are in use. The depth is a function of seed and
 * time, so that it does not depend on the order of calls; only the instances in use are stored.
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

  /**
   * In order of precedence: `drain` and `refill`, the first fault that matches, the depth that follows from
   * the seed.
   */
  depth(pool: Pool): number {
    const ruled = this.#faults.current.capacity.find((rule) => matchesRule(rule, pool));
    return this.#fixed.get(keyOf(pool)) ?? ruled?.depth ?? this.#naturalDepth(pool);
  }

  inUse(pool: Pool): number {
    return this.#used.get(keyOf(pool)) ?? 0;
  }

  available(pool: Pool): number {
    return Math.max(0, this.depth(pool) - this.inUse(pool));
  }

  /** Instances beyond the depth, which happens when a pool shrinks. */
  excess(pool: Pool): number {
    return Math.max(0, this.inUse(pool) - this.depth(pool));
  }

  /** Counts one more instance; false if the pool is exhausted. */
  take(pool: Pool): boolean {
    if (this.available(pool) < 1) return false;
    this.#used.set(keyOf(pool), this.inUse(pool) + 1);
    return true;
  }

  giveBack(pool: Pool): void {
    this.#used.set(keyOf(pool), this.inUse(pool) - 1);
  }

  /**
   * Makes the pool refuse launches until `refill`. Running instances stay until the spot market interrupts
   * them.
   */
  drain(pool: Pool): void {
    this.#fixed.set(keyOf(pool), 0);
  }

  /** Fixes the depth, or restores the one that follows from the seed. */
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
    const fluctuation = 0.75 + this.#fraction(`${keyOf(pool)} ${period}`) / 2;
    return Math.round(
      (averageVcpus[pool.capacityType] * share * size * fluctuation) / info.VCpuInfo.DefaultVCpus,
    );
  }

  #fraction(text: string): number {
    return fractionOf(`${this.#seed} ${text}`);
  }
}

function keyOf({ type, zone, capacityType }: Pool): string {
  return `${type}/${zone}/${capacityType}`;
}

function matchesRule({ types, zones, capacityTypes }: PoolDepth, pool: Pool): boolean {
  return (
    matchesPattern(types, pool.type) &&
    matchesPattern(zones, pool.zone) &&
    matchesPattern(capacityTypes, pool.capacityType)
  );
}
