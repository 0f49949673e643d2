import type { FieldError } from '../field-error.ts';
import type { Json, JsonSchema } from '../json-schema.ts';

/** A value to validate against a schema. */
export interface ValidatedSubject {
  readonly schema: JsonSchema;
  readonly value: Json;
  readonly path: string;
  /** The value at the same place before an update; undefined if there was none or it cannot be correlated. */
  readonly before?: Json | undefined;
}

export interface ValidationOutcome {
  readonly errors: readonly FieldError[];
  /**
   * How much of the value the schema covers. When no branch of an `anyOf` or `oneOf` matches, the API server
   * reports the errors of the branch that got furthest, and this is its measure.
   */
  readonly weight: number;
}

export type Check = (subject: ValidatedSubject) => ValidationOutcome;

export function merge(outcomes: readonly ValidationOutcome[]): ValidationOutcome {
  return {
    errors: outcomes.flatMap(({ errors }) => errors),
    weight: outcomes.reduce((sum, { weight }) => sum + weight, 0),
  };
}

export const nothing: ValidationOutcome = { errors: [], weight: 0 };
