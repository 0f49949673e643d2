import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { changedFields, compareValues, withoutFields } from './comparison.ts';
import type { FieldSet } from './field-set.ts';
import { type FieldType, type ListType, type MapType, memberType } from './field-type.ts';
import { withoutServerFields } from './ownership.ts';
import { inElementOrder } from './path-element.ts';

interface CachedShape {
  readonly object: JsonObject;
  readonly resetFields: FieldSet | undefined;
  readonly fields: FieldSet;
}

const shapesPerType = 16;
const cachedShapes = new WeakMap<FieldType, CachedShape[]>();

/**
 * The fields that the creator of an object owns. They depend only on its shape, and most objects come in
 * large numbers of one shape, such as the pods of a Deployment.
 *
 * So the latest shapes are cached: comparing shapes is much cheaper than computing the set. Objects with the
 * same shape also share the set, which is most of their memory.
 */
export function createdFields(
  type: FieldType,
  object: JsonObject,
  resetFields: FieldSet | undefined,
): FieldSet {
  const latest = shapesOf(type);
  const index = latest.findIndex(
    (each) => each.resetFields === resetFields && isSameShape(type, each.object, object),
  );
  const found = latest[index] ?? { object, resetFields, fields: fieldsOf(type, object, resetFields) };
  if (index !== 0) {
    latest.splice(index < 0 ? shapesPerType - 1 : index, 1);
    latest.unshift(found);
  }
  return found.fields;
}

function shapesOf(type: FieldType): CachedShape[] {
  const latest = cachedShapes.get(type) ?? [];
  cachedShapes.set(type, latest);
  return latest;
}

function fieldsOf(type: FieldType, object: JsonObject, resetFields: FieldSet | undefined): FieldSet {
  const all = compareValues(type, {}, object);
  const comparison = resetFields === undefined ? all : withoutFields(all, resetFields);
  return inElementOrder(withoutServerFields(changedFields(comparison)));
}

/** Whether both values have the same fields. May return false where an exact comparison would be expensive. */
function isSameShape(type: FieldType, a: Json, b: Json): boolean {
  if (a === b) return true;
  if (isJsonArray(a)) return isJsonArray(b) && type.list !== undefined && haveSameItems(type.list, a, b);
  if (isJsonObject(a)) return isJsonObject(b) && type.map !== undefined && haveSameMembers(type.map, a, b);
  return a !== null && b !== null && typeof b !== 'object';
}

function haveSameMembers(map: MapType, a: JsonObject, b: JsonObject): boolean {
  const names = Object.keys(b);
  if (map.isAtomic) return Object.keys(a).length > 0 && names.length > 0;
  let index = 0;
  for (const name in a) {
    if (names[index] !== name || !isSameShape(memberType(map, name), a[name] ?? null, b[name] ?? null))
      return false;
    index += 1;
  }
  return index === names.length;
}

function haveSameItems(list: ListType, a: readonly Json[], b: readonly Json[]): boolean {
  if (list.kind === 'atomic') return a.length > 0 && b.length > 0;
  return a.length === b.length && a.every((item, index) => isSameItem(list, item, b[index] ?? null));
}

function isSameItem(list: ListType, a: Json, b: Json): boolean {
  if (list.kind === 'set' || !isJsonObject(a) || !isJsonObject(b)) return a === b;
  return list.keys.every(({ name }) => a[name] === b[name]) && isSameShape(list.item, a, b);
}
