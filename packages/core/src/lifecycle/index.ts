/**
 * Decisions of the NodeClaim lifecycle as pure functions: launch, registration, initialization, liveness,
 * expiration, consistency, repair and garbage collection. Each takes objects and returns a verdict or the
 * changed object; the controllers do the writing. Start with `claim-status.ts` (conditions), then
 * `node-sync.ts` (registration) and `initialization.ts`.
 */

export {
  type ConditionWords,
  conditionOf,
  isOpen,
  isTrue,
  withAllConditions,
  withConfirmed,
  withFalse,
  withStatus,
  withTrue,
  withUnknown,
} from './claim-status.ts';
export { inconsistencies } from './consistency.ts';
export { type ResourceSlice, requestedDrivers } from './device-pools.ts';
export { disruptionLabels, terminationMode } from './disruption-labels.ts';
export { expiryOf } from './expiration.ts';
export { type InitializationInput, initializationBlock, isReady } from './initialization.ts';
export { launchedClaim } from './launched-claim.ts';
export { type LivenessVerdict, livenessOf } from './liveness.ts';
export { hasLostInstance, type LostInstanceInput } from './lost-instance.ts';
export { isManagedClaim, isManagedNode } from './managed.ts';
export { lacksUnregisteredTaint, type NodeSync, nodeSync, type OwnedNode } from './node-sync.ts';
export { quotedError } from './quoted-error.ts';
export { isWidespread, type UnhealthyCondition, unhealthyConditionOf } from './repair.ts';
