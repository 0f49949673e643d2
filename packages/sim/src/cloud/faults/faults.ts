import type { ApiFamily } from '../calls/api-families.ts';
import type { BucketSize } from '../calls/token-bucket.ts';

/** Everything that can go wrong in the simulated cloud, and how often. Durations are in milliseconds. */
export interface Faults {
  /** How long every answer takes. */
  readonly latency: number;
  readonly slow: readonly SlowCall[];
  readonly errors: readonly CallError[];
  /** Actions that the caller may not do: `ec2:RunInstances`, `iam:*`. */
  readonly deny: readonly string[];
  /** The call is carried out, but its answer does not arrive. */
  readonly lostReplies: readonly ChanceOfCall[];
  readonly throttling: 'off' | Readonly<Partial<Record<ApiFamily, BucketSize>>>;
  readonly consistency: ConsistencyLags;
  /** The first that matches a pool decides how deep it is. */
  readonly capacity: readonly PoolDepth[];
  readonly quotas: Quotas;
  readonly spot: SpotFaults;
  readonly boots: BootFaults;
}

export interface ChanceOfCall {
  /** `ec2:CreateFleet`; `*` stands for any text. */
  readonly call: string;
  /** From 0 to 1. */
  readonly chance: number;
  /** How often at most. */
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
  /** From a create until describing calls know of it. */
  readonly describe: number;
  /** From the creation of an instance profile until EC2 accepts it. */
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
  /** Fleets that have instances. */
  readonly fleets: number;
}

export interface SpotFaults {
  /** The chance that an instance is taken back within an hour, beyond pools that run dry. */
  readonly interruptionsPerHour: number;
  /** From the warning until the instance is gone. */
  readonly notice: number;
  /** How much earlier the recommendation to rebalance comes. */
  readonly rebalanceLead: number;
  /** The account lacks the service-linked role for spot. */
  readonly serviceLinkedRole: 'present' | 'missing';
}

export interface BootFaults {
  /** From running until the kubelet starts. */
  readonly delay: number;
  /** Up to so much more, by chance. */
  readonly jitter: number;
  /** The share of machines that never join. */
  readonly failing: number;
  /** The share of machines that take `slowBy` longer. */
  readonly slow: number;
  readonly slowBy: number;
}

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
