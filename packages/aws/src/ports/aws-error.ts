/**
 * An error response of a service, or no response. Recognized by its shape, not by `instanceof`, because each
 * implementation of the ports has its own class.
 */
export interface AwsError extends Error {
  readonly name: 'AwsError';
  /** `RequestLimitExceeded`, `UnauthorizedOperation`, …; the name of the error if there is no code. */
  readonly code: string;
  readonly service: string;
  readonly operation: string;
  /** 0 without a response. */
  readonly statusCode: number;
  readonly requestId: string;
  /** Which side the service blames. */
  readonly fault: 'client' | 'server';
}

export function isAwsError(error: unknown): error is AwsError {
  return error instanceof Error && error.name === 'AwsError' && 'code' in error && 'operation' in error;
}
