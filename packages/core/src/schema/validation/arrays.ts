import type { Steps } from '../../yielding/index.ts';
import { counterpart } from '../correlation.ts';
import type { FieldError } from '../field-error.ts';
import { itemPath } from '../field-path.ts';
import type { Json, JsonSchema } from '../json-schema.ts';
import { isJsonArray } from '../json-value.ts';
import type { Check, SchemaFindings, ValidatedSubject } from './findings.ts';

/**
 * Validates every item. In lists with map keys an item is compared with its counterpart before the update.
 */
export function* checkItems(
  { schema, value, path, before }: ValidatedSubject,
  findings: SchemaFindings,
  check: Check,
): Steps<void> {
  const { items } = schema;
  if (!items || !isJsonArray(value)) return;
  for (const [index, item] of value.entries()) {
    if (findings.isFull) return;
    const place = itemPath(path, index);
    const earlier = counterpart(schema, item, before);
    yield* check({ schema: items, value: item, path: place, before: earlier }, findings);
  }
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
