import type { Condition, LenientCondition } from '../../schema/index.ts';
import type { Timestamp } from './timestamp.ts';

export type ConditionStatus = Condition['status'];

/** The fields of an object that the condition rules depend on. */
export interface ConditionedObject {
  readonly generation: number;
  readonly creationTimestamp: Timestamp;
  /** Set while the object is being deleted. */
  readonly deletionTimestamp?: Timestamp | undefined;
  readonly conditions: readonly LenientCondition[];
}

/** An API object with conditions. */
export interface StatedObject {
  readonly metadata: {
    readonly generation?: number | undefined;
    readonly creationTimestamp?: Timestamp | null | undefined;
    readonly deletionTimestamp?: Timestamp | undefined;
  };
  readonly status?: { readonly conditions?: readonly LenientCondition[] | undefined } | undefined;
}

/**
 * Extracts the fields for the condition rules. The API server sets generation and creationTimestamp on every
 * object.
 */
export function conditionedObject({ metadata, status }: StatedObject): ConditionedObject {
  const { generation = 0, creationTimestamp, deletionTimestamp } = metadata;
  return {
    generation,
    creationTimestamp: creationTimestamp ?? '',
    deletionTimestamp,
    conditions: status?.conditions ?? [],
  };
}

/** Reason and message of a condition that was not reconciled yet. */
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

/** Whether the condition is True, for any generation. */
export function isConditionTrue(object: Conditions, type: string): boolean {
  return getCondition(object, type)?.status === 'True';
}

export function isConditionFalse(object: Conditions, type: string): boolean {
  return getCondition(object, type)?.status === 'False';
}

/** Whether the condition is missing or Unknown. */
export function isConditionUnknown(object: Conditions, type: string): boolean {
  const status = getCondition(object, type)?.status;
  return status === undefined || status === 'Unknown';
}

/** Whether the condition is True for the current generation of the object. */
export function isConditionTrueNow(
  object: Pick<ConditionedObject, 'conditions' | 'generation'>,
  type: string,
): boolean {
  const condition = getCondition(object, type);
  return condition?.status === 'True' && condition.observedGeneration === object.generation;
}

/** Adds reason and message, which older releases left out of NodeClaim conditions. */
export function complete(condition: LenientCondition): Condition {
  return { reason: '', message: '', ...condition };
}
