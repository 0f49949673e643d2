/**
 * Pure decisions around a provisioning pass: which pods and NodePools go into a plan (`planInput`), which
 * NodeClaim a planned node becomes (`nodeClaimFor`), what a plan means for existing nodes (`PlanOutcomes`),
 * and the NodePool status: limits, totals, readiness, registration health and static replicas. Nothing here
 * calls an API. Start with `plan-input.ts`, `plan-outcome.ts` and `node-claim-object.ts`.
 */

export { type BatchTimes, BatchWindow } from './batch-window.ts';
export { exceededLimit } from './exceeded-limit.ts';
export {
  type IncompatiblePool,
  IncompatiblePoolSearch,
} from './incompatible-pools.ts';
export { lastChoicesInput, podsForLastChoices, withoutLastChoices } from './last-choices.ts';
export { LaunchWaits } from './launch-waits.ts';
export { listedNames } from './listed-names.ts';
export { lostVariety, unmetMinValuesText } from './lost-variety.ts';
export { nodeClassKindOf } from './managed.ts';
export { areMinValuesRelaxed, nodeClaimFor, staticNodeClaim, upcomingPodsText } from './node-claim-object.ts';
export { type NodeClassView, nodeClassObstacle } from './node-class-readiness.ts';
export { equalTotals, type NodePoolTotals, nodePoolTotals } from './node-pool-totals.ts';
export {
  type FieldProblem,
  nodePoolErrors,
  nodePoolProblems,
  specProblems,
} from './node-pool-validation.ts';
export { type PlanEnvironment, type PlanInput, planInput } from './plan-input.ts';
export {
  expectedPlacements,
  type NominatedNode,
  type Nomination,
  nominationText,
  type PlanOutcome,
  PlanOutcomes,
} from './plan-outcome.ts';
export {
  isPoolReady,
  plannablePools,
} from './plannable-pools.ts';
export { poolCosts } from './pool-cost.ts';
export {
  type IgnoredPod,
  preparedPods,
} from './prepared-pods.ts';
export {
  type RegistrationAttempt,
  type RegistrationRecord,
  type RegistrationResult,
  recordFromCondition,
  registrationHealth,
  withRegistration,
} from './registration-record.ts';
export { type SoftConstraint, softConstraints } from './soft-constraints.ts';
export {
  deprovisioningOrder,
  grantedReplicas,
  staticBalance,
} from './static-capacity.ts';
