/**
 * Decisions of the NodeClaim lifecycle as pure functions: launch, registration, initialization, liveness,
 * expiration, consistency, repair and garbage collection. Each takes objects and returns a verdict or the
 * changed object; the controllers do the writing. Start with `claim-status.ts` (conditions), then
 * `node-sync.ts` (registration) and `initialization.ts`.
 */

export {
  conditionOf,
  isTrue,
  isUnknown,
  type ReasonAndMessage,
  withAllConditions,
  withConfirmed,
  withFalse,
  withStatus,
  withTrue,
  withUnknown,
} from './claim-status.ts';
export { inconsistencies } from './consistency.ts';
export type { ResourceSlice } from './device-pools.ts';
export { disruptionLabels } from './disruption-labels.ts';
export { expiryOf } from './expiration.ts';
export { initializationBlock, isReady } from './initialization.ts';
export { launchedClaim } from './launched-claim.ts';
export { livenessOf } from './liveness.ts';
export { hasLostInstance } from './lost-instance.ts';
export { isManagedClaim, isManagedNode } from './managed.ts';
export { lacksUnregisteredTaint, nodeSync, type OwnedNode } from './node-sync.ts';
export { quotedError } from './quoted-error.ts';
export { isWidespread, type UnhealthyCondition, unhealthyConditionOf } from './repair.ts';
