import { type ConditionedObject, getCondition } from '@karpenter/core/api';
import type { Condition } from '@karpenter/core/schema';

export interface Transition {
  /** Absent for a condition that is new. */
  readonly from?: Condition | undefined;
  readonly to: Condition;
}

type Conditions = ConditionedObject['conditions'];

/** Conditions whose status is another than before. */
export function transitions(before: Conditions, after: Conditions): readonly Transition[] {
  return typesOf(after).flatMap((type) => {
    const from = getCondition({ conditions: before }, type);
    const to = getCondition({ conditions: after }, type);
    return to === undefined || from?.status === to.status ? [] : [{ from, to }];
  });
}

/** Conditions as they were, where status or reason is another now: what is reported under them is out of date. */
export function outdated(before: Conditions, after: Conditions): readonly Condition[] {
  return typesOf(before).flatMap((type) => {
    const from = getCondition({ conditions: before }, type);
    const to = getCondition({ conditions: after }, type);
    const isSame = from?.status === to?.status && from?.reason === to?.reason;
    return from === undefined || isSame ? [] : [from];
  });
}

function typesOf(conditions: Conditions): readonly string[] {
  return conditions.map(({ type }) => type);
}

export function transitionMessage(from: Condition, { type, status, reason, message }: Condition): string {
  const text = `Status condition transitioned, Type: ${type}, Status: ${from.status} -> ${status}, Reason: ${reason}`;
  return message === '' ? text : `${text}, Message: ${message}`;
}
