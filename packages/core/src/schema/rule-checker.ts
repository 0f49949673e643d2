import type { Steps } from '../yielding/index.ts';
import type { FieldError } from './field-error.ts';
import type { Json, JsonSchema } from './json-schema.ts';
import { anywhere } from './schema-walk.ts';

export interface RuleSubject {
  readonly schema: JsonSchema;
  readonly self: Json;
  /** The value before an update. Transition rules are skipped without it. */
  readonly oldSelf?: Json | undefined;
  readonly path: string;
}

/** Matches texts with the `pattern` of a schema. The RE2 engine is a dependency, so `kube` implements it (ADR 0065). */
export interface PatternMatcher {
  /**
   * Whether any part of the text matches the RE2 expression. Undefined if matching would take too long: the time
   * grows with the length of the text times that of the expression.
   */
  matchesPattern(pattern: string, text: string): boolean | undefined;
}

/**
 * Evaluates the `x-kubernetes-validations` of a schema and everything below it, in schema order and in steps. Rules are
 * CEL, which needs a dependency, so the implementation is in the `kube` package.
 */
export interface RuleChecker extends PatternMatcher {
  /** Errors marked `ratcheted` are warnings: they applied before the update, too. */
  check(subject: RuleSubject): Steps<readonly FieldError[]>;
}

/** Whether the schema or anything below it has a rule. */
export const hasRules = anywhere((schema) => (schema['x-kubernetes-validations'] ?? []).length > 0);
