import { counterpart } from '../correlation.ts';
import type { FieldError } from '../field-error.ts';
import { itemPath } from '../field-path.ts';
import type { Json, JsonSchema } from '../json-schema.ts';
import { isJsonArray } from '../json-value.ts';
import { type Check, merge, type ValidatedSubject, type ValidationOutcome } from './outcome.ts';

/**
 * Validates every item. In lists with map keys an item is compared with its counterpart before the update.
 */
export function checkItems(
  { schema, value, path, before }: ValidatedSubject,
  check: Check,
): ValidationOutcome {
  const { items } = schema;
  if (!items || !isJsonArray(value)) return merge([]);
  return merge(
    value.map((item, index) =>
      check({
        schema: items,
        value: item,
        path: itemPath(path, index),
        before: counterpart(schema, item, before),
      }),
    ),
  );
}

export function checkCount(schema: JsonSchema, value: readonly Json[], path: string): FieldError[] {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const count = value.length;
  const errors: FieldError[] = [];
  if (count < minItems) {
    const detail = `${path} in body should have at least ${minItems} items`;
    errors.push({ type: 'Invalid', field: path, value: count, detail });
  }
  if (count > maxItems) errors.push(tooMany(path, count, maxItems));
  return errors;
}

export function tooMany(field: string, count: number, limit: number): FieldError {
  const detail = `must have at most ${limit} ${limit === 1 ? 'item' : 'items'}`;
  return { type: 'TooMany', field, value: count, detail };
}
