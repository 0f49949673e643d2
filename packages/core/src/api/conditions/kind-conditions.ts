import { nodeClaimConditions, nodeOverlayConditions, nodePoolConditions } from '../names/index.ts';
import { conditionSet } from './condition-set.ts';

export const nodePoolConditionSet = conditionSet({
  root: nodePoolConditions.ready,
  dependents: [nodePoolConditions.validationSucceeded, nodePoolConditions.nodeClassReady],
});

export const nodeClaimConditionSet = conditionSet({
  root: nodeClaimConditions.ready,
  dependents: [nodeClaimConditions.launched, nodeClaimConditions.registered, nodeClaimConditions.initialized],
});

export const nodeOverlayConditionSet = conditionSet({
  root: nodeOverlayConditions.ready,
  dependents: [nodeOverlayConditions.validationSucceeded],
});

/** A CapacityBuffer has no root condition. */
export const capacityBufferConditionSet = conditionSet({});
