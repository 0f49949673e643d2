import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { type FieldSet, hasChildren, isMember } from './field-set.ts';
import { type FieldType, kindOf, type ListType, type MapType, memberType } from './field-type.ts';
import { itemElement } from './list-items.ts';

/** The value without the given fields. A map or list that becomes empty stays as an empty one. */
export function removeFields(type: FieldType, value: Json, fields: FieldSet): Json {
  const kind = kindOf(type, value);
  if (kind === 'map' && type.map !== undefined && isJsonObject(value)) {
    return type.map.isAtomic ? {} : removeMembers(type.map, value, fields);
  }
  if (kind === 'list' && type.list !== undefined && isJsonArray(value)) {
    return type.list.kind === 'atomic' ? [] : removeItems(type.list, value, fields);
  }
  return value;
}

function removeMembers(map: MapType, value: JsonObject, fields: FieldSet): JsonObject {
  const kept = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    const left = withoutNode(memberType(map, name), member, fields[`f:${name}`]);
    return left === undefined ? [] : [[name, left]];
  });
  return Object.fromEntries(kept);
}

function removeItems(list: ListType, items: readonly Json[], fields: FieldSet): readonly Json[] {
  return items.flatMap((item) => {
    const element = itemElement(list, item);
    const left = withoutNode(list.item, item, element === undefined ? undefined : fields[element]);
    return left === undefined ? [] : [left];
  });
}

function withoutNode(type: FieldType, value: Json, node: FieldSet | undefined): Json | undefined {
  if (node === undefined) return value;
  if (isMember(node)) return undefined;
  return hasChildren(node) ? removeFields(type, value, node) : value;
}
