import { equalJson, isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import type { Steps } from '@karpenter/core/yielding';
import { StatusError } from '../status/status-error.ts';
import { appliedFields } from './applied-fields.ts';
import { checkApplied, typeText } from './applied-object.ts';
import { applyConflict } from './apply-conflict.ts';
import { type Comparison, compareValues, withoutFields } from './comparison.ts';
import { difference, type FieldSet, isEmptySet, recursiveDifference } from './field-set.ts';
import type { FieldType } from './field-type.ts';
import { syncLastApplied, unchangedSinceLastApplied } from './last-applied.ts';
import { type Managers, managedFieldsJson, managerId, storedManagers } from './managers.ts';
import { mergeValues } from './merge-values.ts';
import { objectType } from './object-type.ts';
import { contestedFields, setFields, withoutServerFields, yieldFields } from './ownership.ts';
import { prunedAfterApply } from './pruning.ts';
import { type FieldWrite, recordUpdate, withoutManagedFields, writerOf } from './track-managed-fields.ts';

export interface AppliedWrite extends FieldWrite {
  readonly kind: string;
  /** Undefined when the apply creates the object. */
  readonly live?: JsonObject | undefined;
  readonly applied: JsonObject;
  /** Takes over conflicting fields instead of failing. */
  readonly force: boolean;
}

export interface AppliedResult {
  /** The merged object before defaulting, without `metadata.managedFields`. */
  readonly object: JsonObject;
  readonly managedFields: readonly JsonObject[];
}

/**
 * Merges an applied configuration into the live object and updates ownership. Throws 409 when another manager
 * owns a field that the apply changes, unless forced. Runs in steps, each of which reads the object once.
 */
export function* serverSideApply(write: AppliedWrite): Steps<AppliedResult> {
  checkRequest(write);
  const type = objectType(write.schema, write.isCustom);
  checkApplied(type, write.applied);
  yield;
  const apply = yield* prepare(write, type);
  const contested = apply.contested();
  if (contested.size > 0 && !write.force) {
    const refused = withoutLastApplied(write, type, contested);
    if (refused.size > 0) throw applyConflict(apply.managers, refused);
  }
  yield;
  return yield* apply.commit();
}

function checkRequest({ applied, apiVersion, kind }: AppliedWrite): void {
  if (applied['apiVersion'] !== apiVersion || applied['kind'] !== kind) {
    throw new StatusError(400, 'BadRequest', `invalid object type: ${typeText(applied)}`);
  }
  const managedFields = member(applied['metadata'], 'managedFields');
  if (managedFields !== undefined && managedFields !== null) {
    throw new StatusError(400, 'BadRequest', 'metadata.managedFields must be nil');
  }
}

interface PreparedApply {
  readonly managers: Managers;
  contested(): Map<string, FieldSet>;
  commit(): Steps<AppliedResult>;
}

function* prepare(write: AppliedWrite, type: FieldType): Steps<PreparedApply> {
  const live = withoutManagedFields(write.live ?? {});
  const managers = yield* managersBefore(write, type);
  const applier = writerOf(write, 'Apply');
  const id = managerId(applier);
  const last = managers.get(id)?.fields;
  yield;
  const claimed = claimedFields(write, type);
  yield;
  managers.set(id, { ...applier, time: managers.get(id)?.time, fields: claimed });
  const merged = objectOr(mergeValues(type, live, write.applied), live);
  yield;
  const object = last === undefined ? merged : yield* prunedAfterApply(type, merged, { managers, last });
  const comparison = filtered(compareValues(type, live, object), write);
  yield;
  return {
    managers,
    contested: () => contestedFields(managers, comparison, id),
    *commit() {
      yieldFields(managers, comparison, id);
      yield;
      // An apply that changes nothing keeps the time of the entry.
      const time = equalJson(live, object) ? managers.get(id)?.time : applier.time;
      setFields(managers, id, { ...applier, time, fields: withoutServerFields(claimed) });
      yield;
      return { object: syncLastApplied(write, object), managedFields: managedFieldsJson(managers) };
    },
  };
}

function objectOr(value: Json, fallback: JsonObject): JsonObject {
  return isJsonObject(value) ? value : fallback;
}

/** All fields of an object without managedFields go to the manager `before-first-apply`, as in Kubernetes. */
function* managersBefore(write: AppliedWrite, type: FieldType): Steps<Managers> {
  const managers = storedManagers(write.live);
  const { live } = write;
  if (managers.size > 0 || live === undefined) return managers;
  yield* recordUpdate(managers, { ...write, manager: 'before-first-apply', after: live }, type);
  return managers;
}

function claimedFields({ applied, resetFields }: AppliedWrite, type: FieldType): FieldSet {
  const fields = appliedFields(type, applied);
  return resetFields === undefined ? fields : recursiveDifference(fields, resetFields);
}

function filtered(comparison: Comparison, { resetFields }: AppliedWrite): Comparison {
  return resetFields === undefined ? comparison : withoutFields(comparison, resetFields);
}

/**
 * When kubectl migrates from client-side apply, fields that it applied then and that have not changed since
 * are no conflicts.
 */
function withoutLastApplied(
  write: AppliedWrite,
  type: FieldType,
  contested: ReadonlyMap<string, FieldSet>,
): ReadonlyMap<string, FieldSet> {
  const allowed = unchangedSinceLastApplied(write, type);
  if (allowed === undefined) return contested;
  const left = [...contested].map(([id, fields]) => [id, difference(fields, allowed)] as const);
  return new Map(left.filter(([, fields]) => !isEmptySet(fields)));
}
