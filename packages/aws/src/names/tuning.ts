import {
  consolidationTuning,
  days,
  hours,
  milliseconds,
  minutes,
  provisioningTuning,
  seconds,
} from '@karpenter/core/api';

/** The numbers that the AWS provider depends on and that no setting changes. */

/** How long what was learnt from AWS is believed. */
export const cacheLifetimes = {
  default: minutes(1),
  unavailableOfferings: minutes(3),
  instanceTypesAndOfferings: minutes(5),
  instanceProfile: minutes(15),
  missingRole: minutes(1),
  instanceProfileRecreation: minutes(1),
  instanceProfileProtection: hours(1),
  subnetFreeIps: minutes(5),
  ssmParameter: hours(24),
  customSsmParameter: minutes(5),
  discoveredMemory: days(60),
  validation: minutes(30),
  capacityReservation: hours(24),
  placementGroupFallback: hours(24),
  overlayPrices: minutes(5),
} as const;

/**
 * How long an offering that EC2 could not deliver is left alone: at first as long as Karpenter does, then twice as
 * long with each failure. Shortages last for minutes or for days, and asking again costs a failed launch each time.
 */
export const unavailableBackoff = {
  first: cacheLifetimes.unavailableOfferings,
  longest: minutes(30),
  /** After this long without trouble, the next failure counts as a first one again. */
  quiet: hours(1),
} as const;

/** How often caches are swept of what is no longer believed. */
export const cacheSweeps = {
  default: minutes(1),
  unavailableOfferings: seconds(10),
} as const;

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

/** When an EC2NodeClass is looked at again, by what was found; the soonest counts. */
export const nodeClassPeriods = {
  /** Who mends a selector, or what it should match, expects to see it soon. */
  nothingFound: minutes(1),
  images: minutes(5),
  subnets: minutes(1),
  securityGroups: minutes(5),
  validation: minutes(10),
  waitingForClaims: minutes(10),
  /** What AWS refuses for the moment: twice as long each time, up to the second figure. */
  firstRetry: seconds(1),
  longestRetry: minutes(1),
} as const;

/** After a write that another came before. What they wrote is on its way to the cache, whose change is looked at anyway. */
export const conflictRetry = seconds(1);

/** Successful runs of instance garbage collection at the first period, before the second holds. */
export const quickGarbageCollectionRuns = 20;

export const launchTuning = {
  maxInstanceTypes: provisioningTuning.maxInstanceTypesPerLaunch,
  /** When nothing can be had of this many types, little is to be hoped of others: Karpenter calls as many flexible. */
  tellingInstanceTypes: consolidationTuning.spotToSpotMinInstanceTypes,
  /** With fewer types than this, falling back from spot to on-demand is remarked upon. */
  minFlexibleInstanceTypes: 5,
  /** How long after an earlier leader can have started its last instance EC2 is sure to list it. */
  inheritanceDelay: seconds(5),
  /** Instances younger than this are not yet orphans. */
  garbageCollectionMinAge: seconds(30),
  userDataLimitBytes: 16_384,
  userDataWarningBytes: 14_745,
  sdkTimeout: minutes(4),
  /** Nodes of a capacity block are drained this long before it ends. */
  capacityBlockLead: minutes(40),
  taggingPause: seconds(1),
  /** How many orphaned instances are terminated at once. */
  parallelCollections: 100,
  /** The longest that launches are prepared at a stretch. */
  timeSlice: milliseconds(20),
} as const;

export const interruptionTuning = {
  /** A failed check counts only when it is this old. */
  unhealthyThreshold: seconds(120),
  messagesPerReceive: 10,
  receiveWait: seconds(20),
  visibilityTimeout: seconds(20),
  /** How many instances or NodeClaims are dealt with at once. */
  parallel: 10,
  /** A message or a NodeClaim that was dealt with is known for this long: queues keep messages for five minutes. */
  memory: minutes(10),
} as const;

/** Moving away from spot instances that EC2 recommends to leave. */
export const rebalanceTuning = {
  period: seconds(5),
  /** When this has passed since the last notice, the danger is taken to have passed too. */
  noticeLifetime: minutes(15),
  /** A replacement that no cache shows by now has failed. */
  appearance: seconds(30),
} as const;

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

/** How a fleet request that came too soon after others is made again: after a random part of a time that doubles. */
export const throttledRetries = {
  first: seconds(1),
  longest: seconds(20),
  times: 10,
} as const;
