import { type FieldSet, hasChildren, isMember, leaf, self } from './field-set.ts';
import { deducedType, type FieldType } from './field-type.ts';

/**
 * Adds every struct field that leads to a member as a member. Appliers own structs only through their
 * contents; when the contents are removed, the empty struct has to go too.
 */
export function withNamedFields(type: FieldType, set: FieldSet): FieldSet {
  const result: Record<string, FieldSet> = {};
  for (const [element, below] of Object.entries(set)) {
    if (element === self) continue;
    const field = element.startsWith('f:') ? type.map?.fields.get(element.slice(2)) : undefined;
    const isOwned = field !== undefined || isMember(below);
    const children = hasChildren(below) ? withNamedFields(elementType(type, element), below) : {};
    result[element] = isOwned && hasChildren(children) ? { [self]: leaf, ...children } : children;
  }
  return result;
}

function elementType(type: FieldType, element: string): FieldType {
  if (element.startsWith('k:')) return type.list?.item ?? deducedType;
  return type.map?.fields.get(element.slice(2))?.type ?? type.map?.element ?? deducedType;
}
