import { runAtOnce, StepCounter, type Steps } from '../yielding/index.ts';
import { isUnchanged } from './correlation.ts';
import { type FieldError, withoutRepeats } from './field-error.ts';
import type { Json, JsonSchema } from './json-schema.ts';
import { isJsonArray, isJsonObject } from './json-value.ts';
import type { PatternMatcher } from './rule-checker.ts';
import { checkCount, checkItems } from './validation/arrays.ts';
import { checkCombinators, hasCombinators } from './validation/combinators.ts';
import { checkEnum } from './validation/enums.ts';
import { type Check, SchemaFindings, type ValidatedSubject } from './validation/findings.ts';
import { stringFormat } from './validation/formats.ts';
import { checkNumber } from './validation/numbers.ts';
import { checkMemberCount, checkMembers, checkRequired } from './validation/objects.ts';
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
  options: SchemaValidationOptions = {},
): FieldError[] {
  return runAtOnce(validateInSteps(schema, value, options));
}

/** As `validate`, in steps: the work grows with the size of the value times that of the schema. */
export function* validateInSteps(
  schema: JsonSchema,
  value: Json,
  { path = '', before, patterns = noPatterns }: SchemaValidationOptions = {},
): Steps<FieldError[]> {
  const findings = new SchemaFindings();
  yield* checkerWith(patterns)({ schema, value, path, before }, findings);
  return withoutRepeats(findings.errors);
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

function checkerWith(patterns: PatternMatcher): Check {
  const counter = new StepCounter();
  const check: Check = function* (subject, findings) {
    const { schema, value, before } = subject;
    counter.spend(workOf(value));
    if (counter.endsStep()) yield;
    if (before !== undefined && isUnchanged(schema, value, before)) return;
    findings.weight += weightOf(subject);
    // The order of these checks is that of the errors in the API server's response.
    findings.add(checkType(subject));
    if (hasCombinators(schema) && value !== null) yield* checkCombinators(subject, findings, check);
    findings.add(checkScalar(subject, patterns));
    if (isJsonArray(value)) {
      yield* checkItems(subject, findings, check);
      findings.add(checkCount(schema, value, subject.path));
    }
    findings.add(checkEnum(subject));
    if (isJsonObject(value)) yield* checkObject(subject, findings, check);
  };
  return check;
}

function* checkObject(subject: ValidatedSubject, findings: SchemaFindings, check: Check): Steps<void> {
  findings.add(checkMemberCount(subject));
  yield* checkMembers(subject, findings, check);
  findings.add(checkRequired(subject));
}

/** How many validators of the API server apply to a value of this kind (measured, see the tests). */
function weightOf({ schema, value }: ValidatedSubject): number {
  if (value === null) return 1;
  if (typeof value === 'boolean') return 3;
  if (typeof value === 'number' || isJsonArray(value)) return 5;
  if (typeof value !== 'string') return 4;
  return stringFormat(schema.format) ? 6 : 4;
}

const none: readonly FieldError[] = [];

function checkScalar(
  { schema, value, path }: ValidatedSubject,
  patterns: PatternMatcher,
): readonly FieldError[] {
  if (typeof value === 'number') return checkNumber(schema, value, path);
  if (typeof value !== 'string') return none;
  return [...checkString(schema, { value, path }, patterns), ...checkStringFormat(schema, value, path)];
}

/** In units of about a microsecond: a pattern matches a hundred characters in that time. */
function workOf(value: Json): number {
  return typeof value === 'string' ? 1 + value.length / 100 : 1;
}
