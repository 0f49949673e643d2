/**
 * Status conditions with the rules of Karpenter's `operatorpkg`: a root condition such as Ready sums up its
 * dependents. Pure functions that return the list to store. Start with `condition-set.ts`; `timestamp.ts`
 * parses API times.
 */

export {
  awaitingReconciliation,
  type ConditionedObject,
  type ConditionStatus,
  conditionedObject,
  getCondition,
  isConditionFalse,
  isConditionTrue,
  isConditionTrueNow,
  isConditionUnknown,
  rootReasons,
  type StatedObject,
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
  type Moment,
  parseTimestamp,
  type Timestamp,
  timestampMs,
} from './timestamp.ts';
export { type ConditionTransition, conditionTransitions, transitionText } from './transitions.ts';
