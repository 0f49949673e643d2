/** Reasons of voluntary disruption, in budgets, conditions, commands and events. */
export const disruptionReasons = {
  underutilized: 'Underutilized',
  empty: 'Empty',
  drifted: 'Drifted',
} as const;
export type DisruptionReason = (typeof disruptionReasons)[keyof typeof disruptionReasons];

/** Why a NodeClaim has drifted; providers add their own reasons. */
export const driftReasons = {
  nodePoolDrifted: 'NodePoolDrifted',
  requirementsDrifted: 'RequirementsDrifted',
  instanceTypeNotFound: 'InstanceTypeNotFound',
} as const;

/** Values of the label `reason` of `karpenter_nodeclaims_disrupted_total` for involuntary disruption. */
export const forcedDisruptionReasons = {
  insufficientCapacity: 'insufficient_capacity',
  nodeClassNotReady: 'nodeclass_not_ready',
  launchTimeout: 'launch_timeout',
  registrationTimeout: 'registration_timeout',
  garbageCollected: 'garbage_collected',
  expired: 'expired',
  unhealthy: 'unhealthy',
} as const;

/**
 * Value of the label `reason` of `karpenter_nodeclaims_created_total` for pending pods and static replicas.
 */
export const provisionedReason = 'provisioned';

/** Reason in `Evicted pod: …` and in the drain metric when no disruption reason is known. */
export const forcefulTerminationReason = 'Forceful Termination';

export const disruptionDecisions = { delete: 'delete', replace: 'replace' } as const;

/** Values of the metric label `consolidation_type`; drift has an empty one. */
export const consolidationTypes = { empty: 'empty', drift: '', multi: 'multi', single: 'single' } as const;

/** Values of the metric label `termination_mode`: without, with an elapsed, and with a running grace period. */
export const terminationModes = { graceful: 'graceful', forceful: 'forceful', eventual: 'eventual' } as const;

/** Why validation rejected a command, in `Consolidation rejected: …, reason: …`. */
export const rejectionReasons = {
  churn: 'churn',
  budget: 'budget',
  scheduling: 'scheduling',
  unknown: 'unknown',
} as const;
