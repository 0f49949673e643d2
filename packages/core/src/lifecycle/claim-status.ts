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
export interface ConditionWords {
  readonly reason: string;
  readonly message?: string;
}

/** The claim with other fields in its status; what was there before is not touched. */
export function withStatus(claim: NodeClaim, status: NodeClaimStatus): NodeClaim {
  return { ...claim, status: { ...claim.status, ...status } };
}

export function conditionOf(claim: NodeClaim, type: string): Condition | undefined {
  return getCondition(conditionedObject(claim), type);
}

export function isTrue(claim: NodeClaim, type: string): boolean {
  return conditionOf(claim, type)?.status === 'True';
}

/** Whether nobody has decided yet. */
export function isOpen(claim: NodeClaim, type: string): boolean {
  return (conditionOf(claim, type)?.status ?? 'Unknown') === 'Unknown';
}

/** Root and dependents are there, Unknown since the creation of the claim. */
export function withAllConditions(claim: NodeClaim): NodeClaim {
  return withStatus(claim, { conditions: nodeClaimConditionSet.initialise(conditionedObject(claim)) });
}

export function withTrue(claim: NodeClaim, type: string, at: number): NodeClaim {
  const change = { type, now: formatTimestamp(at) };
  return withStatus(claim, { conditions: nodeClaimConditionSet.setTrue(conditionedObject(claim), change) });
}

export function withFalse(claim: NodeClaim, type: string, words: ConditionWords, at: number): NodeClaim {
  const change = { type, ...words, now: formatTimestamp(at) };
  return withStatus(claim, { conditions: nodeClaimConditionSet.setFalse(conditionedObject(claim), change) });
}

export function withUnknown(claim: NodeClaim, type: string, words: ConditionWords, at: number): NodeClaim {
  const change = { type, ...words, now: formatTimestamp(at) };
  return withStatus(claim, {
    conditions: nodeClaimConditionSet.setUnknown(conditionedObject(claim), change),
  });
}

/** What was decided once stays decided; it is only said of the claim as it is now. */
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
