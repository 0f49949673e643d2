import {
  equalJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  member,
} from '@karpenter/core/schema';
import { type FieldSet, union } from './field-set.ts';
import { parseFieldsV1 } from './fields-v1.ts';
import { inElementOrder } from './path-element.ts';

/** One entry of `metadata.managedFields`. */
export interface Manager {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string | undefined;
  /** RFC 3339 with seconds. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** The managers of an object by identity. */
export type Managers = Map<string, Manager>;

/**
 * The identity of a managedFields entry. Updates have one entry per API version; an applier has one for all.
 */
export function managerId({
  manager,
  operation,
  apiVersion,
  subresource = '',
}: Omit<Manager, 'fields' | 'time'>) {
  return `${manager}\0${operation}\0${operation === 'Apply' ? '' : apiVersion}\0${subresource}`;
}

/** The entries that are stored with the object. */
export function storedManagers(object: JsonObject | undefined): Managers {
  return readManagers(managedFieldsOf(object), trustedFields) ?? new Map();
}

/**
 * The entries before this write. A client may edit managedFields, so those it sent count, unless it sent none
 * or invalid ones; then the stored ones do. An empty list, or one with an empty entry, clears them.
 */
export function sentManagers(sent: JsonObject, stored: JsonObject | undefined): Managers {
  const list = managedFieldsOf(sent);
  if (list === undefined || equalJson(list, managedFieldsOf(stored))) return storedManagers(stored);
  if (isReset(list)) return new Map();
  const managers = readManagers(list, parseFieldsV1);
  return managers === undefined || managers.size === 0 ? storedManagers(stored) : managers;
}

function managedFieldsOf(object: JsonObject | undefined): readonly Json[] | undefined {
  const list = member(object?.['metadata'], 'managedFields');
  return isJsonArray(list) ? list : undefined;
}

function isReset(list: readonly Json[]): boolean {
  const [first] = list;
  return list.length === 0 || (list.length === 1 && isJsonObject(first) && Object.keys(first).length === 0);
}

type FieldsReader = (json: Json | undefined) => FieldSet | undefined;

function trustedFields(json: Json | undefined): FieldSet | undefined {
  return isFieldSet(json) ? json : undefined;
}

/** Stored entries are not parsed again: the JSON of `fieldsV1` already is a FieldSet. */
function isFieldSet(json: Json | undefined): json is FieldSet & JsonObject {
  return isJsonObject(json);
}

/** Undefined when an entry is invalid. */
function readManagers(list: readonly Json[] | undefined, readFields: FieldsReader): Managers | undefined {
  const managers: Managers = new Map();
  for (const entry of list ?? []) {
    const manager = readManager(entry, readFields);
    if (manager === undefined) return undefined;
    managers.set(managerId(manager), manager);
  }
  return managers;
}

function readManager(entry: Json, readFields: FieldsReader): Manager | undefined {
  if (!isJsonObject(entry) || entry['fieldsType'] !== 'FieldsV1') return undefined;
  const { operation, apiVersion } = entry;
  const fields = readFields(entry['fieldsV1'] ?? {});
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  if (typeof apiVersion !== 'string' || apiVersion === '' || fields === undefined) return undefined;
  return {
    manager: textOf(entry['manager']) ?? '',
    operation,
    apiVersion,
    subresource: textOf(entry['subresource']),
    time: textOf(entry['time']),
    fields,
  };
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The entries for `metadata.managedFields`: appliers first, then by time and name. */
export function managedFieldsJson(managers: Managers): readonly JsonObject[] {
  return [...managers.values()].sort(compareManagers).map((manager) => ({
    manager: manager.manager,
    operation: manager.operation,
    apiVersion: manager.apiVersion,
    ...(manager.time === undefined ? {} : { time: manager.time }),
    fieldsType: 'FieldsV1',
    fieldsV1: inElementOrder(manager.fields),
    ...(manager.subresource === undefined ? {} : { subresource: manager.subresource }),
  }));
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    compareTexts(a.operation, b.operation) ||
    secondsOf(a.time) - secondsOf(b.time) ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource ?? '', b.subresource ?? '')
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

const updaterLimit = 10;

/**
 * Merges the oldest updaters of each API version into one entry, `ancient-changes`, while there are more than
 * ten, as Kubernetes does to bound the size of objects.
 */
export function capUpdaters(managers: Managers): void {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  let surplus = updaters.length - updaterLimit;
  if (surplus <= 0) return;
  updaters.sort(([a, x], [b, y]) => secondsOf(x.time) - secondsOf(y.time) || compareTexts(a, b));
  const first = new Map<string, string>();
  for (const [id, updater] of updaters) {
    if (surplus <= 0) return;
    const oldest = first.get(updater.apiVersion);
    if (oldest === undefined) first.set(updater.apiVersion, id);
    else {
      joinAncient(managers, oldest, id);
      surplus -= 1;
    }
  }
}

function joinAncient(managers: Managers, oldestId: string, id: string): void {
  const updater = managers.get(id);
  if (updater === undefined) return;
  const ancient = { ...updater, manager: 'ancient-changes', subresource: undefined };
  const bucketId = managerId(ancient);
  const bucket = managers.get(bucketId) ?? managers.get(oldestId);
  if (!managers.has(bucketId)) managers.delete(oldestId);
  managers.delete(id);
  managers.set(bucketId, { ...ancient, fields: union(updater.fields, bucket?.fields ?? {}) });
}
