import type { Steps } from '../../yielding/index.ts';
import { type FieldError, maxReportedErrors } from '../field-error.ts';
import type { Json, JsonSchema } from '../json-schema.ts';

/** A value to validate against a schema. */
export interface ValidatedSubject {
  readonly schema: JsonSchema;
  readonly value: Json;
  readonly path: string;
  /** The value at the same place before an update; undefined if there was none or it cannot be correlated. */
  readonly before?: Json | undefined;
}

/** Validates a value in steps. */
export type Check = (subject: ValidatedSubject, findings: SchemaFindings) => Steps<void>;

/** Most characters that all errors quote together: one may quote a value, or a list of values, of a megabyte. */
const maxCharacters = 4_000_000;

/** What a validation has found so far. It stops when the findings are full. */
export class SchemaFindings {
  readonly errors: FieldError[] = [];
  /**
   * How much of the value the schema covers. When no branch of an `anyOf` or `oneOf` matches, the API server
   * reports the errors of the branch that got furthest, and this is its measure.
   */
  weight = 0;
  #characters = 0;

  get isFull(): boolean {
    return this.errors.length > maxReportedErrors || this.#characters > maxCharacters;
  }

  get isValid(): boolean {
    return this.errors.length === 0;
  }

  /** Errors beyond the limit are dropped. */
  add(errors: readonly FieldError[]): void {
    for (const error of errors) {
      if (this.isFull) return;
      this.errors.push(error);
      this.#characters += charactersOf(error);
    }
  }

  addAll({ errors, weight }: SchemaFindings): void {
    this.add(errors);
    this.weight += weight;
  }
}

function charactersOf({ value, detail = '' }: FieldError): number {
  return detail.length + (typeof value === 'string' ? value.length : 0);
}
