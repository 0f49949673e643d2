import { isJsonArray, isJsonObject, type Json } from '@karpenter/core/schema';
import { emptySet, type FieldSet, isEmptySet, leaf, self } from './field-set.ts';
import { type FieldType, kindOf, type ListType, type MapType, memberType } from './field-type.ts';
import { itemsByElement } from './list-items.ts';

/**
 * The fields that a manager claims by applying the object: leaves, items of lists and members of maps. A struct is
 * claimed only by what is in it, so that several managers can fill it together.
 */
export function appliedFields(type: FieldType, object: Json): FieldSet {
  return claimedBelow(type, object) ?? emptySet;
}

/** The node of the value; undefined when it claims nothing, which an empty node would not say: that is a leaf. */
function claimedBelow(type: FieldType, value: Json): FieldSet | undefined {
  const kind = kindOf(type, value);
  if (kind === 'map' && type.map !== undefined) return claimedMembers(type.map, value);
  if (kind === 'list' && type.list !== undefined) return claimedItems(type.list, value);
  return leaf;
}

function claimedMembers(map: MapType, value: Json): FieldSet | undefined {
  if (map.isAtomic) return leaf;
  if (!isJsonObject(value)) return undefined;
  const fields: Record<string, FieldSet> = {};
  for (const [name, member] of Object.entries(value)) {
    const below = claimedBelow(memberType(map, name), member);
    const isClaimed = !map.fields.has(name) || member === null || isEmptyMap(member);
    const node = isClaimed ? withSelf(below) : below;
    if (node !== undefined) fields[`f:${name}`] = node;
  }
  return isEmptySet(fields) ? undefined : fields;
}

function isEmptyMap(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function claimedItems(list: ListType, value: Json): FieldSet | undefined {
  if (list.kind === 'atomic') return leaf;
  const fields: Record<string, FieldSet> = {};
  for (const [element, [item = null, ...others]] of itemsByElement(list, isJsonArray(value) ? value : [])) {
    fields[element] = others.length > 0 ? leaf : withSelf(claimedBelow(list.item, item));
  }
  return isEmptySet(fields) ? undefined : fields;
}

function withSelf(node: FieldSet | undefined): FieldSet {
  if (node === undefined || isEmptySet(node) || Object.hasOwn(node, self)) return node ?? leaf;
  return { [self]: leaf, ...node };
}
