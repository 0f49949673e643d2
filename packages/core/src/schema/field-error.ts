import { valueText } from './go-text.ts';
import type { Json } from './json-schema.ts';

export type FieldErrorType =
  | 'Duplicate'
  | 'Forbidden'
  | 'Invalid'
  | 'NotFound'
  | 'NotSupported'
  | 'Required'
  | 'TooLong'
  | 'TooMany'
  | 'TypeInvalid';

/** One validation error, in the API server's categories. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** `spec.taints[0].key`; empty for the object itself. */
  readonly field: string;
  /** Absent where the API server does not repeat the value. */
  readonly value?: Json;
  readonly detail?: string;
  /**
   * The invalid part existed before the update and did not change, so the API server only warns about it
   * (ratcheting).
   */
  readonly ratcheted?: true;
}

/** One entry of `status.details.causes`. */
export interface StatusCause {
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

const openings: Readonly<Record<FieldErrorType, string>> = {
  Duplicate: 'Duplicate value',
  Forbidden: 'Forbidden',
  Invalid: 'Invalid value',
  NotFound: 'Not found',
  NotSupported: 'Unsupported value',
  Required: 'Required value',
  TooLong: 'Too long',
  TooMany: 'Too many',
  TypeInvalid: 'Invalid value',
};

export function statusCause(error: FieldError): StatusCause {
  const parts = [openings[error.type]];
  if (error.value !== undefined) parts.push(valueText(error.value));
  if (error.detail) parts.push(error.detail);
  return { reason: `FieldValue${error.type}`, field: error.field || '<nil>', message: parts.join(': ') };
}

/** `spec.weight: Invalid value: 101: spec.weight in body should be less than or equal to 100`. */
export function fieldErrorText(error: FieldError): string {
  const { field, message } = statusCause(error);
  return `${field}: ${message}`;
}

/**
 * Most errors in one response. kube-apiserver has no limit, but it has other threads for other clients; here one thread
 * formats the errors and serves everyone.
 */
export const maxReportedErrors = 1_000;

/** The message and the causes of a Status for these errors. */
export function reportErrors(errors: readonly FieldError[]): {
  readonly text: string;
  readonly causes: readonly StatusCause[];
} {
  const causes = errors.slice(0, maxReportedErrors).map(statusCause);
  const texts = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  if (errors.length > maxReportedErrors) texts.push(`only the first ${maxReportedErrors} errors are listed`);
  return { text: texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`, causes };
}

/** Two branches of a schema often give the same error; the API server reports it once. */
export function withoutRepeats(errors: readonly FieldError[]): FieldError[] {
  const seen = new Set<string>();
  return errors.filter((error) => {
    const text = fieldErrorText(error);
    return !seen.has(text) && seen.add(text);
  });
}
