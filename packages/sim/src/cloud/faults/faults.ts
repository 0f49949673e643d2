import type { ApiFamily } from '../calls/api-families.ts';
import type { BucketSize } from '../calls/token-bucket.ts';

/**
 * Everything that can go wrong in the simulated account, and how often. Durations are in milliseconds. The
 * keys are those of the faults file.
 */
export interface Faults {
  /** Added to the duration of every call. */
  readonly latency: number;
  readonly slow: readonly SlowCall[];
  readonly errors: readonly CallError[];
  /** Actions that IAM denies the caller: `ec2:RunInstances`, `iam:*`. */
  readonly deny: readonly string[];
  /** The call takes effect, but its reply does not arrive, as when a connection breaks. */
  readonly lostReplies: readonly ChanceOfCall[];
  readonly throttling: 'off' | Readonly<Partial<Record<ApiFamily, BucketSize>>>;
  readonly consistency: ConsistencyLags;
  /** The first entry that matches a pool sets its depth. */
  readonly capacity: readonly PoolDepth[];
  readonly quotas: Quotas;
  readonly spot: SpotFaults;
  readonly boots: BootFaults;
}

export interface ChanceOfCall {
  /** The action, such as `ec2:CreateFleet`; `*` matches any text. */
  readonly call: string;
  /** The probability per call, from 0 to 1. */
  readonly chance: number;
  /** The number of calls it hits at most. */
  readonly times: number;
}

export interface CallError extends ChanceOfCall {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

export interface SlowCall {
  readonly call: string;
  readonly by: number;
}

export interface ConsistencyLags {
  /** How long after its launch an instance is invisible to describe calls. */
  readonly describe: number;
  /** How long after its creation EC2 does not accept an instance profile. */
  readonly profile: number;
}

export interface PoolDepth {
  /** Patterns of type, zone and capacity type; `*` for any. */
  readonly types: string;
  readonly zones: string;
  readonly capacityTypes: string;
  readonly depth: number;
}

export interface Quotas {
  readonly onDemandVcpus: number;
  readonly spotVcpus: number;
  /** Fleets with at least one instance that is not terminated. */
  readonly fleets: number;
}

export interface SpotFaults {
  /**
   * The probability that an instance is interrupted within an hour, beyond those that exhausted pools
   * interrupt.
   */
  readonly interruptionsPerHour: number;
  /** From the interruption warning until EC2 terminates the instance. */
  readonly notice: number;
  /** How long before the interruption warning the rebalance recommendation arrives. */
  readonly rebalanceLead: number;
  /** Whether the account has the service-linked role for spot; without it spot launches fail. */
  readonly serviceLinkedRole: 'present' | 'missing';
}

export interface BootFaults {
  /** From the state running until the kubelet starts. */
  readonly delay: number;
  /** A random addition to the delay, at most this long. */
  readonly jitter: number;
  /** The share of instances that never join. */
  readonly failing: number;
  /** The share of instances that boot `slowBy` later. */
  readonly slow: number;
  readonly slowBy: number;
}

/** The defaults: nothing fails, and an instance boots in 20 to 30 seconds. */
export const noFaults: Faults = {
  latency: 0,
  slow: [],
  errors: [],
  deny: [],
  lostReplies: [],
  throttling: {},
  consistency: { describe: 0, profile: 0 },
  capacity: [],
  quotas: { onDemandVcpus: 100_000, spotVcpus: 100_000, fleets: 100_000 },
  spot: {
    interruptionsPerHour: 0,
    notice: 120_000,
    rebalanceLead: 120_000,
    serviceLinkedRole: 'present',
  },
  boots: { delay: 20_000, jitter: 10_000, failing: 0, slow: 0, slowBy: 300_000 },
};
