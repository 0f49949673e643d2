import {
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  member,
} from '@karpenter/core/schema';
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
  /** Who writes; `unknown` when empty. */
  readonly manager: string;
  /** Group and version under which the object is written. */
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
  /** RFC 3339 with seconds. */
  readonly time: string;
  /** Of the whole object. */
  readonly schema: JsonSchema;
  /** Built-in kinds have empty structs where custom ones have nothing. */
  readonly isCustom: boolean;
  /** What this way of writing cannot change and so cannot own, such as status on the object itself. */
  readonly resetFields?: FieldSet | undefined;
}

export interface TrackedUpdate extends FieldWrite {
  /** Absent on create. */
  readonly before?: JsonObject | undefined;
  /** As it will be stored, with the managedFields that the client sent, if any. */
  readonly after: JsonObject;
}

/** `metadata.managedFields` after a create, update or patch; empty when the object is not tracked. */
export function trackManagedFields(update: TrackedUpdate): readonly JsonObject[] {
  const { before, after, subresource } = update;
  // A subresource cannot be used to edit the entries.
  const managers = subresource === undefined ? sentManagers(after, before) : storedManagers(before);
  // Objects whose entries were cleared stay untracked until they are applied.
  if (managers.size === 0 && before !== undefined) return [];
  recordUpdate(managers, update, objectType(update.schema, update.isCustom));
  capUpdaters(managers);
  return managedFieldsJson(managers);
}

/** Gives the changed fields to the writer, takes them from all others. */
export function recordUpdate(managers: Managers, update: TrackedUpdate, type: FieldType): void {
  const isNew = update.before === undefined && managers.size === 0;
  const taken = isNew
    ? createdFields(type, withoutManagedFields(update.after), update.resetFields)
    : takeChanged(managers, update, type);
  if (isEmptySet(taken)) return;
  const writer = writerOf(update, 'Update');
  const id = managerId(writer);
  const fields = union(taken, managers.get(id)?.fields ?? {});
  setFields(managers, id, { ...writer, fields });
}

function takeChanged(managers: Managers, update: TrackedUpdate, type: FieldType): FieldSet {
  const { before = {}, after, resetFields } = update;
  const all = compareValues(type, withoutManagedFields(before), withoutManagedFields(after));
  const comparison = resetFields === undefined ? all : withoutFields(all, resetFields);
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
 * The entries to store: the old ones, when nothing but times differs in them and the object is the same, so that a
 * write which changes nothing leaves no trace.
 */
export function settleTimes(
  before: JsonObject,
  after: JsonObject,
  managedFields: readonly JsonObject[],
): readonly Json[] {
  const old = member(before['metadata'], 'managedFields');
  if (!Array.isArray(old) || old.length !== managedFields.length) return managedFields;
  const isIdle =
    equalJson(old.map(timeless), managedFields.map(timeless)) &&
    equalJson(withoutManagedFields(before), withoutManagedFields(after));
  return isIdle ? old : managedFields;
}

function timeless(entry: Json): Json {
  if (!isJsonObject(entry)) return entry;
  const { time: _, ...rest } = entry;
  return rest;
}
