import { hours, milliseconds, minutes, seconds } from './time-spans.ts';

/**
 * The numbers that behaviour depends on and that no setting changes. Spans of time are
 * milliseconds, by type; shares are fractions of one.
 */

export const provisioningTuning = {
  /** How long a loop waits for a first pod before it starts over. */
  firstTriggerWait: seconds(1),
  /** A pending pod or a disrupted node asks again this often. */
  triggerRequeue: seconds(10),
  solveDeadline: minutes(1),
  maxInstanceTypesPerNodeClaim: 600,
  /** So many of the cheapest types of a NodeClaim are sent to the cloud in one launch. */
  maxInstanceTypesPerLaunch: 60,
  /** A nominated node is left alone this long at least, and for twice the longest batch. */
  minNominationWindow: seconds(10),
  nominationWindowPerBatch: 2,
  /** Once its node is initialized a pod is bound within this time or not at all: twice the longest backoff of the kube-scheduler. */
  bindingPatience: seconds(20),
  deviceAllocationDeadlinePerPod: seconds(5),
} as const;

export const lifecycleTuning = {
  launchTimeout: minutes(5),
  registrationTimeout: minutes(15),
  launchCacheLifetime: hours(1),
  postPatchSleep: seconds(1),
  expirationSleep: seconds(1),
  minBackoff: seconds(1),
  maxBackoff: seconds(60),
  instanceTerminationPoll: seconds(5),
  garbageCollectionPeriod: minutes(2),
  garbageCollectionParallelism: 20,
  consistencyPeriod: minutes(10),
  /** A node with less than this share of the capacity promised fails the consistency check. */
  consistencyTolerance: 0.9,
  podEventsDedupe: seconds(10),
  /** Conditions and events quote at most so many characters of an error. */
  maxQuotedErrorLength: 300,
} as const;

export const registrationHealthTuning = {
  bufferSize: 4,
  unhealthyShare: 0.5,
} as const;

export const terminationTuning = {
  drainPoll: seconds(1),
  volumePoll: seconds(1),
  minDrainTime: seconds(5),
  minBackoff: milliseconds(100),
  maxBackoff: seconds(10),
  /** A pod that should have ended this long ago is no longer waited for. */
  stuckTerminatingAllowance: minutes(1),
  minForcedGracePeriod: seconds(1),
} as const;

/** For workloads whose pods ask for another one before they are drained. */
export const surgeTuning = {
  /** How long the other one is waited for, where the pod does not say. */
  patience: minutes(10),
  collectionPeriod: seconds(30),
  releaseTries: 4,
} as const;

export const disruptionTuning = {
  poll: seconds(10),
  /** Between finding a consolidation and carrying it out, the cluster may change its mind. */
  validationDelay: seconds(15),
  /**
   * So many commands for each that a budget allows are looked for beforehand: a node takes at least five seconds to
   * drain, and what comes after it needs ten to be found and fifteen to be waited for.
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
  maxEvictionCost: 10,
  minEvictionCost: -10,
  baseNodeCost: 1,
} as const;

export const consolidationTuning = {
  multiNodeTimeout: minutes(1),
  singleNodeTimeout: minutes(3),
  /** The search takes one more: prefixes go up to 101 nodes. */
  multiNodeBatchCap: 100,
  spotToSpotMinInstanceTypes: 15,
  /** Methods that found nothing look again after this time even if nothing changed. */
  stateRefresh: minutes(5),
  /** The Balanced policy wants at least 1/k of the average saving per disturbance. */
  balancedK: 2,
} as const;

export const driftTuning = {
  recheck: minutes(5),
  instanceTypeCheckMinAge: hours(1),
  instanceTypeCheckCacheLifetime: minutes(30),
} as const;

export const repairTuning = {
  /** Rounded up to whole nodes; with more unhealthy ones, repair holds back. */
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
  vpaPredictionWithoutCrd: seconds(60),
  nodeMetrics: seconds(5),
  nodePoolMetrics: seconds(10),
  podMetrics: seconds(30),
} as const;

/** Reconciles at a time: at least `min` (one core), at most `max` (60 cores), in a straight line between. */
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

const fewestCores = 1;
const mostCores = 60;

export function concurrency(range: ConcurrencyRange, cpuMillicores: number): number {
  const cores = Math.min(Math.max(cpuMillicores / 1000, fewestCores), mostCores);
  const share = (cores - fewestCores) / (mostCores - fewestCores);
  return Math.round(range.min + share * (range.max - range.min));
}

/** For writes that meet a conflict or a passing failure. */
export const apiRetryTuning = {
  attempts: 4,
  firstDelay: milliseconds(10),
  delayFactor: 5,
  jitter: 0.1,
} as const;

/** Lists in logs and events show so many entries, then ` and N other(s)`. */
export const maxListedNames = 5;
