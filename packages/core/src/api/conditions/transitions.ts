import type { Condition, LenientCondition } from '../../schema/index.ts';
import { complete, getCondition } from './condition.ts';

/** A condition that is new or has changed its status. */
export interface ConditionTransition {
  readonly condition: Condition;
  /** The previous condition; undefined if there was none. */
  readonly before: Condition | undefined;
}

export function conditionTransitions(
  before: readonly LenientCondition[],
  after: readonly LenientCondition[],
): readonly ConditionTransition[] {
  return after.map(complete).flatMap((condition) => {
    const earlier = getCondition({ conditions: before }, condition.type);
    return earlier?.status === condition.status ? [] : [{ condition, before: earlier }];
  });
}

/** The message of the transition event. */
export function transitionText({ type, status, reason, message }: Condition, before: Condition): string {
  const words = `Status condition transitioned, Type: ${type}, Status: ${before.status} -> ${status}, Reason: ${reason}`;
  return message === '' ? words : `${words}, Message: ${message}`;
}
