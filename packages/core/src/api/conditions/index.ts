/**
 * Status conditions with the rules of Karpenter's `operatorpkg`: a root condition such as Ready is
 * computed from its dependents. Pure functions that return the list to store. Start with `condition-set.ts`; `timestamp.ts`
 * parses API times.
 */

export {
  type ConditionedObject,
  type ConditionStatus,
  conditionedObject,
  getCondition,
  isConditionFalse,
  isConditionTrue,
  isConditionTrueNow,
  isConditionUnknown,
} from './condition.ts';
export { type ConditionSet, conditionSet, equalConditions } from './condition-set.ts';
export {
  capacityBufferConditionSet,
  nodeClaimConditionSet,
  nodeOverlayConditionSet,
  nodePoolConditionSet,
} from './kind-conditions.ts';
export {
  compareTimestamps,
  formatTimestamp,
  parseTimestamp,
  type Timestamp,
  timestampMs,
} from './timestamp.ts';
export { conditionTransitions, transitionText } from './transitions.ts';
