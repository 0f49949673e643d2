import { isDeepStrictEqual } from 'node:util';
import type { ConditionedObject, Timestamp } from '@karpenter/core/api';
import type { Condition } from '@karpenter/core/schema';
import type { ec2NodeClassConditionSet } from '../../names/index.ts';
import type { EC2NodeClass, EC2NodeClassStatus } from '../../node-class/index.ts';
import type { StatusStepOutcome, StepCondition } from './status-step.ts';

export type NodeClassConditions = ReturnType<typeof ec2NodeClassConditionSet>;

/** Adds the conditions that the class must have, as Unknown. */
export function initialised(nodeClass: EC2NodeClass, conditions: NodeClassConditions): EC2NodeClass {
  return withStatus(nodeClass, { conditions: [...conditions.initialise(conditioned(nodeClass))] });
}

interface OutcomeContext {
  readonly conditions: NodeClassConditions;
  readonly now: Timestamp;
}

/** Applies the outcome of a step to the class. */
export function withOutcome(
  nodeClass: EC2NodeClass,
  { status = {}, condition }: StatusStepOutcome,
  { conditions, now }: OutcomeContext,
): EC2NodeClass {
  const found = withStatus(nodeClass, status);
  if (condition === undefined) return found;
  return withStatus(found, { conditions: [...changed(found, condition, { conditions, now })] });
}

function changed(
  nodeClass: EC2NodeClass,
  { status, type, reason = type, message = '' }: StepCondition,
  { conditions, now }: OutcomeContext,
): readonly Condition[] {
  const object = conditioned(nodeClass);
  const change = { type, reason, message, now };
  if (status === 'True') return conditions.setTrue(object, change);
  return status === 'False' ? conditions.setFalse(object, change) : conditions.setUnknown(object, change);
}

function conditioned({ metadata, status }: EC2NodeClass): ConditionedObject {
  return {
    generation: metadata.generation ?? 0,
    creationTimestamp: metadata.creationTimestamp ?? '',
    deletionTimestamp: metadata.deletionTimestamp,
    conditions: status?.conditions ?? [],
  };
}

type StatusChange = { readonly [Field in keyof EC2NodeClassStatus]?: EC2NodeClassStatus[Field] | undefined };

function withStatus(nodeClass: EC2NodeClass, change: StatusChange): EC2NodeClass {
  const { subnets, securityGroups, amis, capacityReservations, instanceProfile, conditions }: StatusChange = {
    ...nodeClass.status,
    ...change,
  };
  const status = {
    ...(subnets !== undefined && { subnets }),
    ...(securityGroups !== undefined && { securityGroups }),
    ...(amis !== undefined && { amis }),
    ...(capacityReservations !== undefined && { capacityReservations }),
    ...(instanceProfile !== undefined && { instanceProfile }),
    ...(conditions !== undefined && { conditions }),
  };
  return { ...nodeClass, status };
}

/**
 * Returns the status changes as a merge patch, with null for removed fields; undefined if nothing changed.
 */
export function statusChange(
  before: EC2NodeClass,
  after: EC2NodeClass,
): Readonly<Record<string, unknown>> | undefined {
  const old: Readonly<Record<string, unknown>> = { ...before.status };
  const now: Readonly<Record<string, unknown>> = { ...after.status };
  const fields = new Set([...Object.keys(old), ...Object.keys(now)]);
  const differing = [...fields].filter((field) => !isDeepStrictEqual(old[field], now[field]));
  if (differing.length === 0) return undefined;
  return Object.fromEntries(differing.map((field) => [field, now[field] ?? null]));
}
