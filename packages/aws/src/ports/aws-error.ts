/**
 * A refusal by a service, or no answer from it. Known by its shape: who implements the ports brings a class of
 * their own.
 */
export interface AwsError extends Error {
  readonly name: 'AwsError';
  /** `RequestLimitExceeded`, `UnauthorizedOperation`, …; the name of the failure where there is no code. */
  readonly code: string;
  readonly service: string;
  readonly operation: string;
  /** 0 when no answer came. */
  readonly statusCode: number;
  readonly requestId: string;
  /** Whose fault it is, as the service says. */
  readonly fault: 'client' | 'server';
}

export function isAwsError(error: unknown): error is AwsError {
  return error instanceof Error && error.name === 'AwsError' && 'code' in error && 'operation' in error;
}
