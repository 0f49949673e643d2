import { CodedError } from './coded-error.ts';
import type { ErrorCode } from './error-codes.ts';

export interface InvalidValue {
  readonly code: ErrorCode;
  /** Where the value is, as its author would name it: `spec.limits.cpu`, `BATCH_IDLE_DURATION`. */
  readonly field: string;
  readonly value: string;
  /** What the value fails to be, with its article: `a quantity`. */
  readonly expected: string;
  /** What would be accepted, as advice: `write a number with an optional suffix, such as 500m or 2Gi`. */
  readonly advice: string;
}

/** The error for invalid input: `spec.limits.cpu: "1x" is not a quantity; write a number ...`. */
export function invalidValue({ code, field, value, expected, advice }: InvalidValue): CodedError {
  return new CodedError(code, `${field}: ${JSON.stringify(value)} is not ${expected}; ${advice}`, {
    details: { field, value },
  });
}
