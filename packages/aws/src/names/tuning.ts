import {
  consolidationTuning,
  days,
  hours,
  milliseconds,
  minutes,
  provisioningTuning,
  seconds,
} from '@karpenter/core/api';

/** Fixed values of the AWS provider that no setting changes. Most are Karpenter's. */

/** Lifetimes of cached results from AWS. */
export const cacheLifetimes = {
  default: minutes(1),
  unavailableOfferings: minutes(3),
  instanceTypesAndOfferings: minutes(5),
  instanceProfile: minutes(15),
  /** For a role that does not exist, IAM is called at most once a minute (ADR 0028). */
  missingRole: minutes(1),
  /** Covers a lost status write, after which the next pass would create a second profile. */
  instanceProfileRecreation: minutes(1),
  /** A claim may use a profile before its annotation shows that; garbage collection spares it this long. */
  instanceProfileProtection: hours(1),
  subnetFreeIps: minutes(5),
  /** Long, because providers.ssm.invalidation drops deprecated values every half hour. */
  ssmParameter: hours(24),
  customSsmParameter: minutes(5),
  discoveredMemory: days(60),
  validation: minutes(30),
  capacityReservation: hours(24),
  /** How long launches use the last known group while EC2 cannot be asked. */
  placementGroupFallback: hours(24),
  overlayPrices: minutes(5),
} as const;

/**
 * How long an offering stays unavailable after EC2 had no capacity for it. First as long as in Karpenter, then
 * doubled with each failure: shortages last from minutes to days, and each retry costs a failed launch.
 */
export const unavailableBackoff = {
  first: cacheLifetimes.unavailableOfferings,
  longest: minutes(30),
  /** Time without a failure after which the next one counts as the first again. */
  quiet: hours(1),
} as const;

/** How often expired entries are removed from caches. */
export const cacheSweeps = {
  default: minutes(1),
  unavailableOfferings: seconds(10),
} as const;

/** Periods of the singleton controllers. */
export const awsReconcilePeriods = {
  instanceGarbageCollectionAtStart: seconds(10),
  instanceGarbageCollection: minutes(2),
  instanceProfileGarbageCollection: minutes(30),
  pricing: hours(12),
  instanceTypes: hours(12),
  ssmInvalidation: minutes(30),
  version: minutes(5),
  capacityReservations: minutes(1),
  cloudProviderMetrics: minutes(1),
  zonalShift: seconds(30),
  instanceStatus: minutes(1),
  nodeClassStatus: seconds(10),
} as const;

/** Requeue delays of an EC2NodeClass by outcome; the shortest applies. */
export const nodeClassPeriods = {
  /** Short, so that a corrected selector or AWS resource takes effect soon. */
  nothingFound: minutes(1),
  images: minutes(5),
  subnets: minutes(1),
  securityGroups: minutes(5),
  validation: minutes(10),
  waitingForClaims: minutes(10),
  /** Backoff after temporary AWS errors, doubled each time up to `longestRetry`. */
  firstRetry: seconds(1),
  longestRetry: minutes(1),
} as const;

/**
 * Delay after a write conflict. The change of the other
 * writer also triggers a reconcile when the cache sees it.
 */
export const conflictRetry = seconds(1);

/** Runs of instance garbage collection with the short start period, before the normal one applies. */
export const quickGarbageCollectionRuns = 20;

/** Limits around launches. */
export const launchTuning = {
  maxInstanceTypes: provisioningTuning.maxInstanceTypesPerLaunch,
  /**
   * A launch that fails for this many types makes similar offerings suspect (ADR 0029). Karpenter requires as many
   * before it consolidates from spot to spot.
   */
  suspectMinInstanceTypes: consolidationTuning.spotToSpotMinInstanceTypes,
  /** Logs a fallback from spot to on-demand with fewer types than this. */
  minFlexibleInstanceTypes: 5,
  /**
   * Claims per launch batch, whose fleet requests are sent one after the other (ADR 0036). As many as the default
   * client QPS of 200 records in one second, so that the requests of a large scale-out still run concurrently.
   */
  claimsPerBatch: 200,
  /** How long EC2 may take to list the last instance that an earlier leader launched. */
  inheritanceDelay: seconds(5),
  /** Minimum age of an orphan: a younger instance may belong to a launch in progress. */
  garbageCollectionMinAge: seconds(30),
  /** EC2's limit on decoded user data, which only EC2 enforces; the notice comes at 90%. */
  userDataLimitBytes: 16_384,
  userDataWarningBytes: 14_745,
  sdkTimeout: minutes(4),
  /** How long before its end the nodes of a capacity block are drained. */
  capacityBlockLead: minutes(40),
  taggingPause: seconds(1),
  /** Orphaned instances to terminate concurrently. */
  parallelCollections: 100,
} as const;

/** Limits around interruptions. */
export const interruptionTuning = {
  /** How long a status check must have failed. */
  unhealthyThreshold: seconds(120),
  messagesPerReceive: 10,
  receiveWait: seconds(20),
  visibilityTimeout: seconds(20),
  /** Instances or NodeClaims to handle concurrently. */
  parallel: 10,
  /** Deduplication window for messages and NodeClaims: twice the retention time of the queue (ADR 0018). */
  memory: minutes(10),
} as const;

/** Replacement of spot instances with a rebalance recommendation. */
export const rebalanceTuning = {
  period: seconds(5),
  /** Lifetime of a recommendation; without another one the risk is assumed to have passed. */
  noticeLifetime: minutes(15),
  /** A replacement that the cache does not show after this time has failed. */
  appearance: seconds(30),
} as const;

/** Windows of the EC2 batchers: a batch goes out when idle for `idle`, at the latest after `max`. */
export const batching = {
  createFleet: { name: 'create_fleet', idle: milliseconds(35), max: seconds(1), maxItems: 1000 },
  describeInstances: { name: 'describe_instances', idle: milliseconds(100), max: seconds(1), maxItems: 500 },
  terminateInstances: {
    name: 'terminate_instances',
    idle: milliseconds(100),
    max: seconds(1),
    maxItems: 500,
  },
} as const;

export const batchWorkers = 100;

/** Retries of throttled fleet requests: exponential backoff with full jitter. */
export const throttledRetries = {
  first: seconds(1),
  longest: seconds(20),
  times: 10,
} as const;
