import {
  conditionedObject,
  formatTimestamp,
  getCondition,
  type NodeClaim,
  type NodeClaimStatus,
  nodeClaimConditionSet,
} from '../api/index.ts';
import type { Condition } from '../schema/index.ts';

/** Reason and message of a condition. */
export interface ReasonAndMessage {
  readonly reason: string;
  readonly message?: string;
}

/** The claim with these status fields; all others are kept. */
export function withStatus(claim: NodeClaim, status: NodeClaimStatus): NodeClaim {
  return { ...claim, status: { ...claim.status, ...status } };
}

export function conditionOf(claim: NodeClaim, type: string): Condition | undefined {
  return getCondition(conditionedObject(claim), type);
}

export function isTrue(claim: NodeClaim, type: string): boolean {
  return conditionOf(claim, type)?.status === 'True';
}

/** Whether the condition is not decided yet: Unknown, or absent. */
export function isUnknown(claim: NodeClaim, type: string): boolean {
  return (conditionOf(claim, type)?.status ?? 'Unknown') === 'Unknown';
}

/** Adds the missing conditions as Unknown since the creation of the claim: Ready and those it depends on. */
export function withAllConditions(claim: NodeClaim): NodeClaim {
  return withStatus(claim, { conditions: nodeClaimConditionSet.initialise(conditionedObject(claim)) });
}

export function withTrue(claim: NodeClaim, type: string, at: number): NodeClaim {
  const change = { type, now: formatTimestamp(at) };
  return withStatus(claim, { conditions: nodeClaimConditionSet.setTrue(conditionedObject(claim), change) });
}

export function withFalse(claim: NodeClaim, type: string, reason: ReasonAndMessage, at: number): NodeClaim {
  const change = { type, ...reason, now: formatTimestamp(at) };
  return withStatus(claim, { conditions: nodeClaimConditionSet.setFalse(conditionedObject(claim), change) });
}

export function withUnknown(claim: NodeClaim, type: string, reason: ReasonAndMessage, at: number): NodeClaim {
  const change = { type, ...reason, now: formatTimestamp(at) };
  return withStatus(claim, {
    conditions: nodeClaimConditionSet.setUnknown(conditionedObject(claim), change),
  });
}

/**
 * Updates observedGeneration of a condition that is True or False. Once decided it stays decided, whatever
 * changes in the spec later.
 */
export function withConfirmed(claim: NodeClaim, type: string, at: number): NodeClaim {
  const condition = conditionOf(claim, type);
  if (condition === undefined) return claim;
  const { status, reason, message } = condition;
  if (status === 'True') {
    const change = { type, reason, message, now: formatTimestamp(at) };
    return withStatus(claim, { conditions: nodeClaimConditionSet.setTrue(conditionedObject(claim), change) });
  }
  return status === 'False' ? withFalse(claim, type, { reason, message }, at) : claim;
}
