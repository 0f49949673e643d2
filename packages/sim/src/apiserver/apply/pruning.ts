import { isJsonObject, type JsonObject } from '@karpenter/core/schema';
import type { Steps } from '@karpenter/core/yielding';
import { appliedFields } from './applied-fields.ts';
import { difference, emptySet, type FieldSet, intersection, union } from './field-set.ts';
import type { FieldType } from './field-type.ts';
import type { Managers } from './managers.ts';
import { withNamedFields } from './named-fields.ts';
import { removeFields } from './removal.ts';

/**
 * Removes from the merged object the fields that its manager applied last time and that have no owner now.
 * `managers` already contains the new set of the applier.
 */
export function* prunedAfterApply(
  type: FieldType,
  merged: JsonObject,
  { managers, last }: { readonly managers: Managers; readonly last: FieldSet },
): Steps<JsonObject> {
  const named = (set: FieldSet) => withNamedFields(type, set);
  const fieldsOf = (object: JsonObject) => named(appliedFields(type, object));
  const without = (fields: FieldSet) => {
    const value = removeFields(type, merged, fields);
    return isJsonObject(value) ? value : merged;
  };
  const all = fieldsOf(merged);
  yield;
  const owned = [...managers.values()].map(({ fields }) => fields).reduce(union, emptySet);
  const pruned = without(named(last));
  yield;
  // Removing a struct removes everything in it, so restore what another manager owns,
  const restored = without(difference(all, union(fieldsOf(pruned), named(owned))));
  yield;
  // and what the applier never owned.
  return without(intersection(difference(all, fieldsOf(restored)), named(last)));
}
