import type { ErrorCode } from './error-codes.ts';

export type ErrorDetails = Readonly<Record<string, string | number | boolean>>;

/**
 * The only kind of error that this product throws on purpose. The message is one sentence for people: what
 * failed, on which object, why, what to do; lower case, no full stop, no secrets. Code and details are for
 * programs and stay stable.
 */
export class CodedError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: { details?: ErrorDetails; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CodedError';
    this.code = code;
    this.details = options.details ?? {};
  }
}
