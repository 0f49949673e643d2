import { type FieldSet, hasChildren, isMember, leaf, self } from './field-set.ts';
import { deducedType, type FieldType } from './field-type.ts';

/**
 * The set with every struct field that leads to a member made a member, too. Appliers claim structs only by their
 * content; removing such content must also remove the struct that nobody fills any more.
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
