import type { Condition, LenientCondition } from '../../schema/index.ts';
import type { Timestamp } from './timestamp.ts';

export type ConditionStatus = Condition['status'];

/** What the condition rules read of an object. */
export interface ConditionedObject {
  readonly generation: number;
  readonly creationTimestamp: Timestamp;
  /** Set while the object is being deleted. */
  readonly deletionTimestamp?: Timestamp | undefined;
  readonly conditions: readonly LenientCondition[];
}

/** An object of the API, as far as its conditions depend on it. */
export interface StatedObject {
  readonly metadata: {
    readonly generation?: number | undefined;
    readonly creationTimestamp?: Timestamp | null | undefined;
    readonly deletionTimestamp?: Timestamp | undefined;
  };
  readonly status?: { readonly conditions?: readonly LenientCondition[] | undefined } | undefined;
}

/** What the condition rules read of it; the server gives every object a generation and a time of creation. */
export function conditionedObject({ metadata, status }: StatedObject): ConditionedObject {
  const { generation = 0, creationTimestamp, deletionTimestamp } = metadata;
  return {
    generation,
    creationTimestamp: creationTimestamp ?? '',
    deletionTimestamp,
    conditions: status?.conditions ?? [],
  };
}

/** Reason and message of a condition that nobody has judged yet. */
export const awaitingReconciliation = {
  reason: 'AwaitingReconciliation',
  message: 'object is awaiting reconciliation',
} as const;

/** Reasons of a root condition that is not True. */
export const rootReasons = {
  unhealthyDependents: 'UnhealthyDependents',
  reconcilingDependents: 'ReconcilingDependents',
} as const;

type Conditions = Pick<ConditionedObject, 'conditions'>;

export function getCondition({ conditions }: Conditions, type: string): Condition | undefined {
  const found = conditions.find((condition) => condition.type === type);
  return found === undefined ? undefined : complete(found);
}

/** Whether the condition is True, of whichever generation. */
export function isConditionTrue(object: Conditions, type: string): boolean {
  return getCondition(object, type)?.status === 'True';
}

export function isConditionFalse(object: Conditions, type: string): boolean {
  return getCondition(object, type)?.status === 'False';
}

/** Whether the condition is missing or Unknown: nobody has decided yet. */
export function isConditionUnknown(object: Conditions, type: string): boolean {
  const status = getCondition(object, type)?.status;
  return status === undefined || status === 'Unknown';
}

/** Whether the condition is True and was judged on the object as it is now, not on an earlier generation. */
export function isConditionTrueNow(
  object: Pick<ConditionedObject, 'conditions' | 'generation'>,
  type: string,
): boolean {
  const condition = getCondition(object, type);
  return condition?.status === 'True' && condition.observedGeneration === object.generation;
}

/** Fills in what older releases left out of the conditions of NodeClaims. */
export function complete(condition: LenientCondition): Condition {
  return { reason: '', message: '', ...condition };
}
