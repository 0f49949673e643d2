import type { FieldError } from './field-error.ts';
import type { Json, JsonSchema } from './json-schema.ts';

export interface RuleSubject {
  readonly schema: JsonSchema;
  readonly self: Json;
  /** The value before an update. Transition rules are skipped without it. */
  readonly oldSelf?: Json | undefined;
  readonly path: string;
}

/** Matches texts with the `pattern` of a schema. The engine is a dependency, so `kube` implements it. */
export interface PatternMatcher {
  /** Whether any part of the text matches an expression of RE2, in time linear in the text. */
  matchesPattern(pattern: string, text: string): boolean;
}

/**
 * Evaluates the `x-kubernetes-validations` of a schema and everything below it, in schema order. Rules are
 * CEL, which needs a dependency, so the implementation is in the `kube` package.
 */
export interface RuleChecker extends PatternMatcher {
  /** Errors marked `ratcheted` are warnings: they applied before the update, too. */
  check(subject: RuleSubject): readonly FieldError[];
}

const withRules = new WeakMap<JsonSchema, boolean>();

/** Whether the schema or anything below it has a rule. */
export function hasRules(schema: JsonSchema): boolean {
  const known = withRules.get(schema);
  if (known !== undefined) return known;
  const found = (schema['x-kubernetes-validations'] ?? []).length > 0 || subschemas(schema).some(hasRules);
  withRules.set(schema, found);
  return found;
}

function subschemas({ properties = {}, items, additionalProperties }: JsonSchema): JsonSchema[] {
  const below = Object.values(properties);
  if (items) below.push(items);
  if (typeof additionalProperties === 'object') below.push(additionalProperties);
  return below;
}
