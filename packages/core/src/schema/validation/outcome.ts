import type { FieldError } from '../field-error.ts';
import type { Json, JsonSchema } from '../json-schema.ts';

/** One value to be checked against one schema. */
export interface Subject {
  readonly schema: JsonSchema;
  readonly value: Json;
  readonly path: string;
  /** What stood at the same place before an update; undefined where nothing did or it cannot be told. */
  readonly before?: Json | undefined;
}

export interface Outcome {
  readonly errors: readonly FieldError[];
  /**
   * How much of the value the schema had something to say about. When no alternative of an `anyOf` or `oneOf`
   * holds, the API server reports the one that got furthest, and this is its measure.
   */
  readonly weight: number;
}

export type Check = (subject: Subject) => Outcome;

export function merge(outcomes: readonly Outcome[]): Outcome {
  return {
    errors: outcomes.flatMap(({ errors }) => errors),
    weight: outcomes.reduce((sum, { weight }) => sum + weight, 0),
  };
}

export const nothing: Outcome = { errors: [], weight: 0 };
