import { hours, milliseconds, minutes, seconds } from './time-spans.ts';

// Fixed numbers that determine behaviour and that no setting changes. Durations are milliseconds, by type;
// shares are fractions of one.

export const provisioningTuning = {
  /** How often a pending pod or a disrupted node triggers again. */
  triggerRequeue: seconds(10),
  solveDeadline: minutes(1),
  maxInstanceTypesPerNodeClaim: 600,
  /** How many of the cheapest types of a NodeClaim one launch sends to the cloud. */
  maxInstanceTypesPerLaunch: 60,
  /** A nomination lasts at least this long, and at least twice the longest batch. */
  minNominationWindow: seconds(10),
  nominationWindowPerBatch: 2,
  /**
   * Once its node is initialized a pod is bound within this time or not at all: twice the longest backoff of
   * the kube-scheduler.
   */
  bindingTimeout: seconds(20),
  deviceAllocationDeadlinePerPod: seconds(5),
  /** A workload whose last pod arrived longer ago than this creates no more for now: its plans are for the pods that exist. */
  upcomingPodsWindow: seconds(10),
  /** A ReplicaSet younger than this is expected to create its pods. Twice a batch: others may come first. */
  newWorkloadWindow: seconds(20),
  /** More than the largest node holds: upcoming pods only fill nodes that real pods need. */
  maxUpcomingPodsPerOwner: 1_000,
  maxUpcomingPods: 5_000,
} as const;

export const lifecycleTuning = {
  /** A NodeClaim that is not launched by then is deleted, so that its pods are planned again. */
  launchTimeout: minutes(5),
  /** A NodeClaim whose node has not registered by then is deleted. */
  registrationTimeout: minutes(15),
  launchCacheLifetime: hours(1),
  minBackoff: seconds(1),
  maxBackoff: seconds(60),
  instanceTerminationPoll: seconds(5),
  garbageCollectionPeriod: minutes(2),
  garbageCollectionParallelism: 20,
  consistencyPeriod: minutes(10),
  /** A node with less than this share of its expected capacity fails the consistency check. */
  consistencyTolerance: 0.9,
  podEventsDedupe: seconds(10),
  /** Conditions and events quote at most this many characters of an error. */
  maxQuotedErrorLength: 300,
} as const;

export const registrationHealthTuning = {
  /** How many of the latest registrations count for the health of a NodePool. */
  bufferSize: 4,
  /** From this share of failures on, NodeRegistrationHealthy is False. */
  unhealthyShare: 0.5,
} as const;

export const terminationTuning = {
  drainPoll: seconds(1),
  volumePoll: seconds(1),
  minDrainTime: seconds(5),
  minBackoff: milliseconds(100),
  maxBackoff: seconds(10),
  /** The drain stops waiting for a pod that should have ended this long ago. */
  stuckTerminatingAllowance: minutes(1),
  /** Shortest grace period of a forced deletion, even after the deadline. */
  minForcedGracePeriod: seconds(1),
} as const;

/** For workloads whose pods ask for a second pod before they are drained. */
export const surgeTuning = {
  /** How long to wait for the second pod, if the pod does not say. */
  timeout: minutes(10),
  collectionPeriod: seconds(30),
  releaseTries: 4,
} as const;

export const disruptionTuning = {
  poll: seconds(10),
  /** Empty nodes are looked for more often: that is cheap, and they cost money for nothing. */
  emptinessPoll: seconds(4),
  /** Time between finding a consolidation and executing it, in which the cluster may change. */
  validationDelay: seconds(15),
  /** How many times as much a command saves that others give up their place in a budget for. */
  largerCommandFactor: 2,
  /** How long a due command waits for others: one is found within ten seconds and validated fifteen later. */
  longestHold: seconds(25),
  /**
   * How many commands to find in advance for each that a budget allows: a node takes at least five seconds to
   * drain, and the next command takes ten to find and fifteen to validate.
   */
  commandsAhead: 5,
  unsyncedRetry: seconds(1),
  queuePoll: seconds(1),
  commandTimeoutPerCandidate: milliseconds(80),
  minCommandTimeout: minutes(10),
  maxCommandTimeout: hours(1),
  abnormalLoopWarning: minutes(15),
  /** Pod deletion cost and priority are divided by these before they are added to an eviction cost of 1. */
  podDeletionCostScale: 2 ** 27,
  podPriorityScale: 2 ** 25,
  /** An eviction cost is clamped to these bounds. */
  maxEvictionCost: 10,
  minEvictionCost: -10,
  /** Cost of the node itself, added to that of its pods. */
  baseNodeCost: 1,
} as const;

export const consolidationTuning = {
  /** The search adds one: prefixes go up to 101 nodes, as in Karpenter. */
  multiNodeBatchCap: 100,
  spotToSpotMinInstanceTypes: 15,
  /** A method that found nothing searches again after this time even if nothing changed. */
  stateRefresh: minutes(5),
  /** Share of the price of its nodes that a regrouping saves at least, so that it is not churn. */
  minSavingsShare: 0.05,
  /** In dollars per hour: what moving a pod counts for against the savings. */
  pricePerMovedPod: 0.001,
  /** Share of its price that justifies replacing a node that has just started. */
  largeSavingsShare: 0.5,
  /** Share of what its NodePools cost for which a command may soon follow another. Smaller savings can wait. */
  largeSpendShare: 0.1,
  /** Share of what its NodePools cost that must be saved to split a node that has just started. */
  splitSpendShare: 0.05,
  /** Share of the price of its nodes that a regrouping saves more than separate commands. */
  regroupingMinGain: 0.02,
  /** Share of the price of further nodes that a regrouping with them saves more than one without them. */
  regroupingMinGrowth: 0.1,
  /** Share of its savings that a regrouping still has after the validation delay. */
  regroupingSavingsKept: 0.8,
  /** Share of the savings that commands must keep which move no pod to a node that goes next. */
  savingsKeptToMoveOnce: 0.95,
  /**
   * A node younger than this is replaced only if that saves `largeSpendShare` of what its NodePool costs or
   * `largeSavingsShare` of its own price, and split only for at least `splitSpendShare`. A pod that moved less
   * than this ago moves again only for the first.
   */
  youngNodeAge: minutes(5),
  /** How often consolidation moves a pod within `podMovePeriod`. */
  podMovesPerHour: 2,
  podMovePeriod: hours(1),
  /** Policy Balanced requires at least 1/k of the average savings per disruption. */
  balancedK: 2,
} as const;

export const driftTuning = {
  recheck: minutes(5),
  instanceTypeCheckMinAge: hours(1),
  instanceTypeCheckCacheLifetime: minutes(30),
} as const;

export const repairTuning = {
  /** Rounded up to whole nodes; with more unhealthy ones, repair stops. */
  maxUnhealthyShare: 0.2,
  retry: minutes(5),
} as const;

export const stateTuning = {
  requeue: minutes(1),
  pricingRefresh: hours(1),
  nodeClaimCollectionDelay: seconds(15),
  unsyncedLogDelay: seconds(30),
  unsyncedLogPeriod: seconds(10),
} as const;

export const reconcilePeriods = {
  nodePoolCounter: seconds(5),
  nodePoolCounterUnsynced: seconds(1),
  nodeOverlay: hours(6),
  capacityBuffer: seconds(30),
  staticNodePool: seconds(60),
  staticNodePoolAtLimit: seconds(30),
  vpaPrediction: seconds(30),
  nodeMetrics: seconds(5),
  nodePoolMetrics: seconds(10),
  podMetrics: seconds(30),
} as const;

/** Concurrent reconciles: `min` with one core, `max` with 60 cores, linear in between. */
export interface ConcurrencyRange {
  readonly min: number;
  readonly max: number;
}

export const concurrencyRanges = {
  lifecycle: { min: 1000, max: 5000 },
  termination: { min: 100, max: 5000 },
  state: { min: 10, max: 3000 },
  other: { min: 10, max: 1000 },
} as const satisfies Record<string, ConcurrencyRange>;

const minCores = 1;
const maxCores = 60;

export function concurrency(range: ConcurrencyRange, cpuMillicores: number): number {
  const cores = Math.min(Math.max(cpuMillicores / 1000, minCores), maxCores);
  const share = (cores - minCores) / (maxCores - minCores);
  return Math.round(range.min + share * (range.max - range.min));
}

/** For writes that fail with a conflict or a transient error. */
export const apiRetryTuning = {
  attempts: 4,
  firstDelay: milliseconds(10),
  delayFactor: 5,
  jitter: 0.1,
} as const;

/** Lists in logs and events show this many entries, then ` and N other(s)`. */
export const maxListedNames = 5;
