import type { Condition, LenientCondition } from '../../schema/index.ts';
import {
  awaitingReconciliation,
  type ConditionedObject,
  type ConditionStatus,
  complete,
  rootReasons,
} from './condition.ts';
import { compareTimestamps, type Timestamp } from './timestamp.ts';

/** A condition to set, and the time of the change. */
interface Change {
  readonly type: string;
  readonly now: Timestamp;
  readonly reason?: string;
  readonly message?: string;
}

/** The conditions of one kind: a root that sums up its dependents, and independent ones. */
export interface ConditionSet<Owned extends string> {
  /** Adds missing root and dependents as Unknown since the creation of the object. */
  initialise(object: ConditionedObject): readonly Condition[];
  /** Reason defaults to the type, message to empty. */
  setTrue(object: ConditionedObject, change: Change): readonly Condition[];
  /** Message defaults to empty. */
  setFalse(object: ConditionedObject, change: Change & { readonly reason: string }): readonly Condition[];
  /** Reason and message default to those of a condition that was not reconciled yet. */
  setUnknown(object: ConditionedObject, change: Change): readonly Condition[];
  /** Removes an independent condition. Root and dependents are never removed. */
  clear<Type extends string>(
    object: ConditionedObject,
    type: Type extends Owned ? never : Type,
  ): readonly Condition[];
}

interface Ownership {
  readonly root: string | undefined;
  readonly dependents: readonly string[];
}

/**
 * Creates the operations on `status.conditions`. Each takes the object and returns the list to store. A set
 * without root (CapacityBuffer) follows the other rules.
 */
export function conditionSet<Root extends string = never, Dependent extends string = never>(options: {
  readonly root?: Root;
  readonly dependents?: readonly Dependent[];
}): ConditionSet<Root | Dependent> {
  const owned: Ownership = { root: options.root, dependents: options.dependents ?? [] };
  return {
    initialise: (object) => initialise(owned, object),
    setTrue: (object, change) =>
      set(owned, object, {
        status: 'True',
        ...change,
        ...words(change, { reason: change.type, message: '' }),
      }),
    setFalse: (object, change) =>
      set(owned, object, {
        status: 'False',
        ...change,
        ...words(change, { reason: change.reason, message: '' }),
      }),
    setUnknown: (object, change) =>
      set(owned, object, { status: 'Unknown', ...change, ...words(change, awaitingReconciliation) }),
    clear: (object, type) => clear(object, type),
  };
}

type Words = Pick<Condition, 'reason' | 'message'>;

/** An explicit reason drops the default message, which belongs to the default reason. */
function words(change: Change, defaults: Words): Words {
  if (change.reason === undefined) return { ...defaults, message: change.message ?? defaults.message };
  return { reason: change.reason, message: change.message ?? '' };
}

function initialise({ root, dependents }: Ownership, object: ConditionedObject): readonly Condition[] {
  const stored = object.conditions.map(complete);
  const missing = [...dependents, ...(root === undefined ? [] : [root])]
    .filter((type) => !stored.some((condition) => condition.type === type))
    .map((type) => ({
      type,
      status: 'Unknown' as const,
      ...awaitingReconciliation,
      lastTransitionTime: object.creationTimestamp,
      observedGeneration: object.generation,
    }));
  return missing.length === 0 ? stored : inOrder([...stored, ...missing], root);
}

interface StatedChange extends Words {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly now: Timestamp;
}

/**
 * Sets one condition and recomputes the root, unless the root itself is set. The transition time changes only
 * with the status, as Kubernetes' API conventions require.
 */
function set(owned: Ownership, object: ConditionedObject, change: StatedChange): readonly Condition[] {
  const initialised = initialise(owned, object);
  const current =
    object.deletionTimestamp === undefined ? initialised : observed(initialised, object.generation);
  const conditions = put(current, object.generation, change);
  if (owned.root === undefined || change.type === owned.root) return inOrder(conditions, owned.root);
  const root = rootChange(owned.root, dependentsOf(owned, conditions), object.generation);
  return inOrder(put(conditions, object.generation, { ...root, now: change.now }), owned.root);
}

/**
 * Nothing updates the conditions of an object that is being deleted, so each change updates
 * observedGeneration of all.
 */
function observed(conditions: readonly Condition[], generation: number): readonly Condition[] {
  return conditions.map((condition) => ({ ...condition, observedGeneration: generation }));
}

/** A changed condition moves to the end, so that of equal transition times the latest change comes last. */
function put(
  conditions: readonly Condition[],
  generation: number,
  { type, status, reason, message, now }: StatedChange,
): readonly Condition[] {
  const before = conditions.find((condition) => condition.type === type);
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now;
  const after = { type, status, reason, message, lastTransitionTime, observedGeneration: generation };
  if (before !== undefined && isSame(before, after)) return conditions;
  return [...conditions.filter((condition) => condition.type !== type), after];
}

/** Whether the lists are equal, in the same order, so that no write is needed. */
export function equalConditions(a: readonly LenientCondition[], b: readonly LenientCondition[]): boolean {
  return (
    a.length === b.length &&
    a.every((condition, index) => {
      const other = b[index];
      return (
        other !== undefined && condition.type === other.type && isSame(complete(condition), complete(other))
      );
    })
  );
}

function isSame(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    a.lastTransitionTime === b.lastTransitionTime &&
    a.observedGeneration === b.observedGeneration
  );
}

function dependentsOf({ dependents }: Ownership, conditions: readonly Condition[]): readonly Condition[] {
  return conditions.filter((condition) => dependents.includes(condition.type));
}

/** Only conditions observed on the current generation make the root True or False. */
function rootChange(
  root: string,
  dependents: readonly Condition[],
  generation: number,
): Omit<StatedChange, 'now'> {
  const isCurrent = (condition: Condition): boolean => condition.observedGeneration === generation;
  const unhealthy = dependents
    .filter((condition) => condition.status !== 'True' || !isCurrent(condition))
    .sort((a, b) => compareTimestamps(b.lastTransitionTime, a.lastTransitionTime));
  if (unhealthy.length === 0) return { type: root, status: 'True', reason: root, message: '' };
  const message = unhealthy.map(({ type, status }) => `${type}=${status}`).join(', ');
  return unhealthy.some((condition) => condition.status === 'False' && isCurrent(condition))
    ? { type: root, status: 'False', reason: rootReasons.unhealthyDependents, message }
    : { type: root, status: 'Unknown', reason: rootReasons.reconcilingDependents, message };
}

/** Oldest transition first, root last. */
function inOrder(conditions: readonly Condition[], root: string | undefined): readonly Condition[] {
  return conditions.toSorted(
    (a, b) =>
      Number(a.type === root) - Number(b.type === root) ||
      compareTimestamps(a.lastTransitionTime, b.lastTransitionTime),
  );
}

/**
 * Sorts by type after a removal, as Karpenter's library does; keeps the order if there was nothing to remove.
 */
function clear(object: ConditionedObject, type: string): readonly Condition[] {
  const stored = object.conditions.map(complete);
  const left = stored.filter((condition) => condition.type !== type);
  return left.length === stored.length ? stored : left.toSorted((a, b) => (a.type < b.type ? -1 : 1));
}
