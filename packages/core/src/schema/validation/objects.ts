import { memberSchema } from '../apply-defaults.ts';
import type { FieldError } from '../field-error.ts';
import { childPath } from '../field-path.ts';
import type { JsonObject, JsonSchema } from '../json-schema.ts';
import { isJsonObject, member } from '../json-value.ts';
import { tooMany } from './arrays.ts';
import { type Check, merge, type ValidatedSubject, type ValidationOutcome } from './outcome.ts';

/** Validates every member that the schema describes. Others are left to pruning. */
export function checkMembers(
  { schema, value, path, before }: ValidatedSubject,
  check: Check,
): ValidationOutcome {
  if (!isJsonObject(value)) return merge([]);
  return merge(
    Object.entries(value).flatMap(([name, entry]) => {
      const known = memberSchema(schema, name);
      if (!known) return [];
      return [
        check({ schema: known, value: entry, path: childPath(path, name), before: member(before, name) }),
      ];
    }),
  );
}

export function checkMemberCount(schema: JsonSchema, value: JsonObject, path: string): FieldError[] {
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
  const count = Object.keys(value).length;
  const errors: FieldError[] = [];
  if (count < minProperties) {
    const detail = `${path} in body should have at least ${minProperties} properties`;
    errors.push({ type: 'Invalid', field: path, value: count, detail });
  }
  if (count > maxProperties) errors.push(tooMany(path, count, maxProperties));
  return errors;
}

export function checkRequired({ required = [] }: JsonSchema, value: JsonObject, path: string): FieldError[] {
  return required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ type: 'Required', field: childPath(path, name) }));
}
