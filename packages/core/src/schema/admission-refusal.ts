import { type FieldError, reportErrors, type StatusCause } from './field-error.ts';
import { quoted } from './go-text.ts';
import type { JsonObject } from './json-schema.ts';
import { member } from './json-value.ts';

/** Why the API server rejects a write: the fields of the `Status` object in the response. */
export interface AdmissionRefusal {
  readonly code: 400 | 422;
  readonly reason: 'BadRequest' | 'Invalid';
  readonly message: string;
  readonly causes: readonly StatusCause[];
}

export function badRequest(message: string): AdmissionRefusal {
  return { code: 400, reason: 'BadRequest', message, causes: [] };
}

export function invalid(group: string, object: JsonObject, errors: readonly FieldError[]): AdmissionRefusal {
  const { text, causes } = reportErrors(errors);
  const name = quoted(String(member(object['metadata'], 'name') ?? ''));
  return {
    code: 422,
    reason: 'Invalid',
    message: `${object['kind']}.${group} ${name} is invalid: ${text}`,
    causes,
  };
}
