import { isJsonArray, isJsonObject, type Json } from '@karpenter/core/schema';
import { emptySet, type FieldSet, isEmptySet, leaf, self } from './field-set.ts';
import { type FieldType, kindOf, type ListType, type MapType, memberType } from './field-type.ts';
import { itemsByElement } from './list-items.ts';

/**
 * The fields that a manager owns by applying the object: leaves, list items and map members. A struct is
 * owned only through its contents, so that several managers can fill it together.
 */
export function appliedFields(type: FieldType, object: Json): FieldSet {
  return fieldsBelow(type, object) ?? emptySet;
}

/**
 * The set below a value. Undefined when nothing in it is owned; an empty node would mean that the value
 * itself is a leaf.
 */
function fieldsBelow(type: FieldType, value: Json): FieldSet | undefined {
  const kind = kindOf(type, value);
  if (kind === 'map' && type.map !== undefined) return memberFields(type.map, value);
  if (kind === 'list' && type.list !== undefined) return itemFields(type.list, value);
  return leaf;
}

function memberFields(map: MapType, value: Json): FieldSet | undefined {
  if (map.isAtomic) return leaf;
  if (!isJsonObject(value)) return undefined;
  const fields: Record<string, FieldSet> = {};
  for (const [name, member] of Object.entries(value)) {
    const below = fieldsBelow(memberType(map, name), member);
    const isOwned = !map.fields.has(name) || member === null || isEmptyMap(member);
    const node = isOwned ? withSelf(below) : below;
    if (node !== undefined) fields[`f:${name}`] = node;
  }
  return isEmptySet(fields) ? undefined : fields;
}

function isEmptyMap(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function itemFields(list: ListType, value: Json): FieldSet | undefined {
  if (list.kind === 'atomic') return leaf;
  const fields: Record<string, FieldSet> = {};
  for (const [element, [item = null, ...others]] of itemsByElement(list, isJsonArray(value) ? value : [])) {
    fields[element] = others.length > 0 ? leaf : withSelf(fieldsBelow(list.item, item));
  }
  return isEmptySet(fields) ? undefined : fields;
}

function withSelf(node: FieldSet | undefined): FieldSet {
  if (node === undefined || isEmptySet(node) || Object.hasOwn(node, self)) return node ?? leaf;
  return { [self]: leaf, ...node };
}
