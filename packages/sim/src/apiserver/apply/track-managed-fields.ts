import {
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  member,
} from '@karpenter/core/schema';
import type { Steps } from '@karpenter/core/yielding';
import { changedFields, compareValues, withoutFields } from './comparison.ts';
import { createdFields } from './created-fields.ts';
import { type FieldSet, isEmptySet, union } from './field-set.ts';
import type { FieldType } from './field-type.ts';
import {
  capUpdaters,
  type Manager,
  type Managers,
  managedFieldsJson,
  managerId,
  sentManagers,
  storedManagers,
} from './managers.ts';
import { objectType } from './object-type.ts';
import { setFields, withoutServerFields, yieldFields } from './ownership.ts';

export interface FieldWrite {
  /** The field manager; recorded as `unknown` when empty. */
  readonly manager: string;
  /** The apiVersion of the request. */
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
  /** RFC 3339 with seconds. */
  readonly time: string;
  /** The schema of the whole object. */
  readonly schema: JsonSchema;
  /** Built-in kinds have empty structs where custom kinds have nothing. */
  readonly isCustom: boolean;
  /** Fields that the endpoint ignores and the writer cannot own, such as status on the main resource. */
  readonly resetFields?: FieldSet | undefined;
}

export interface TrackedUpdate extends FieldWrite {
  /** Undefined on create. */
  readonly before?: JsonObject | undefined;
  /** The object to store, with the managedFields that the client sent, if any. */
  readonly after: JsonObject;
}

/**
 * Computes `metadata.managedFields` after a create, update or patch, in steps; empty when the object is not tracked.
 */
export function* trackManagedFields(update: TrackedUpdate): Steps<readonly JsonObject[]> {
  const { before, after, subresource } = update;
  // managedFields cannot be edited through a subresource.
  const managers = subresource === undefined ? sentManagers(after, before) : storedManagers(before);
  // An object whose entries were cleared stays untracked until the next apply.
  if (managers.size === 0 && before !== undefined) return [];
  yield* recordUpdate(managers, update, objectType(update.schema, update.isCustom));
  capUpdaters(managers);
  yield;
  return managedFieldsJson(managers);
}

/** Makes the writer the only owner of the fields it changed. */
export function* recordUpdate(managers: Managers, update: TrackedUpdate, type: FieldType): Steps<void> {
  const isNew = update.before === undefined && managers.size === 0;
  const taken = isNew
    ? createdFields(type, withoutManagedFields(update.after), update.resetFields)
    : yield* takeChanged(managers, update, type);
  yield;
  if (isEmptySet(taken)) return;
  const writer = writerOf(update, 'Update');
  const id = managerId(writer);
  const fields = union(taken, managers.get(id)?.fields ?? {});
  setFields(managers, id, { ...writer, fields });
}

function* takeChanged(managers: Managers, update: TrackedUpdate, type: FieldType): Steps<FieldSet> {
  const { before = {}, after, resetFields } = update;
  const all = compareValues(type, withoutManagedFields(before), withoutManagedFields(after));
  const comparison = resetFields === undefined ? all : withoutFields(all, resetFields);
  yield;
  yieldFields(managers, comparison, '');
  return withoutServerFields(changedFields(comparison));
}

export function writerOf(write: FieldWrite, operation: Manager['operation']): Omit<Manager, 'fields'> {
  const { manager, apiVersion, subresource, time } = write;
  return { manager: manager === '' ? 'unknown' : manager, operation, apiVersion, subresource, time };
}

export function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = object['metadata'];
  if (member(metadata, 'managedFields') === undefined) return object;
  const { managedFields: _, ...rest } = isJsonObject(metadata) ? metadata : {};
  return { ...object, metadata: rest };
}

/**
 * Returns the old entries when only their times differ and the object is unchanged, so that a write without
 * changes creates no new revision.
 */
export function settleTimes(
  before: JsonObject,
  after: JsonObject,
  managedFields: readonly JsonObject[],
): readonly Json[] {
  const old = member(before['metadata'], 'managedFields');
  if (!Array.isArray(old) || old.length !== managedFields.length) return managedFields;
  const isUnchanged =
    equalJson(old.map(withoutTime), managedFields.map(withoutTime)) &&
    equalJson(withoutManagedFields(before), withoutManagedFields(after));
  return isUnchanged ? old : managedFields;
}

function withoutTime(entry: Json): Json {
  if (!isJsonObject(entry)) return entry;
  const { time: _, ...rest } = entry;
  return rest;
}
