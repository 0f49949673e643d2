import { isUnchanged } from './correlation.ts';
import { type FieldError, withoutRepeats } from './field-error.ts';
import type { Json, JsonSchema } from './json-schema.ts';
import { isJsonArray, isJsonObject } from './json-value.ts';
import type { PatternMatcher } from './rule-checker.ts';
import { checkCount, checkItems } from './validation/arrays.ts';
import { checkCombinators } from './validation/combinators.ts';
import { checkEnum } from './validation/enums.ts';
import { stringFormat } from './validation/formats.ts';
import { checkNumber } from './validation/numbers.ts';
import { checkMemberCount, checkMembers, checkRequired } from './validation/objects.ts';
import {
  type Check,
  merge,
  nothing,
  type ValidatedSubject,
  type ValidationOutcome,
} from './validation/outcome.ts';
import { checkString, checkStringFormat } from './validation/strings.ts';
import { checkType } from './validation/types.ts';

/**
 * Validation errors of a value, in the API server's words and order. `before` is the value that an update
 * replaces: parts equal to it are not checked (ratcheting), so that a schema may become stricter without
 * blocking later writes.
 */
export function validate(
  schema: JsonSchema,
  value: Json,
  { path = '', before, patterns = noPatterns }: SchemaValidationOptions = {},
): FieldError[] {
  const check: Check = (subject) => outcomeOf(subject, check, patterns);
  return withoutRepeats(check({ schema, value, path, before }).errors);
}

interface SchemaValidationOptions {
  readonly path?: string;
  readonly before?: Json;
  /** Required for schemas with a `pattern`. */
  readonly patterns?: PatternMatcher;
}

const noPatterns: PatternMatcher = {
  matchesPattern(pattern) {
    throw new Error(`no matcher for the pattern ${pattern}`);
  },
};

function outcomeOf(subject: ValidatedSubject, check: Check, patterns: PatternMatcher): ValidationOutcome {
  const { schema, value, path, before } = subject;
  if (before !== undefined && isUnchanged(schema, value, before)) return nothing;
  const base = { errors: checkType(subject), weight: weightOf(subject) };
  if (value === null) return merge([base, { errors: checkEnum(subject), weight: 0 }]);
  const only = (errors: readonly FieldError[]): ValidationOutcome => ({ errors, weight: 0 });
  // The order is that of the API server, because it decides the order of the messages.
  return merge([
    base,
    checkCombinators(subject, check),
    only(checkScalar(subject, patterns)),
    checkItems(subject, check),
    only(isJsonArray(value) ? checkCount(schema, value, path) : []),
    only(checkEnum(subject)),
    only(isJsonObject(value) ? checkMemberCount(schema, value, path) : []),
    checkMembers(subject, check),
    only(isJsonObject(value) ? checkRequired(schema, value, path) : []),
  ]);
}

/** How many validators of the API server apply to a value of this kind (measured, see the tests). */
function weightOf({ schema, value }: ValidatedSubject): number {
  if (value === null) return 1;
  if (typeof value === 'boolean') return 3;
  if (typeof value === 'number' || isJsonArray(value)) return 5;
  if (typeof value !== 'string') return 4;
  return stringFormat(schema.format) ? 6 : 4;
}

function checkScalar({ schema, value, path }: ValidatedSubject, patterns: PatternMatcher): FieldError[] {
  if (typeof value === 'number') return checkNumber(schema, value, path);
  if (typeof value !== 'string') return [];
  return [...checkString(schema, { value, path }, patterns), ...checkStringFormat(schema, value, path)];
}
