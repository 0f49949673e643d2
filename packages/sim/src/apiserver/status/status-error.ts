import type { JsonObject, StatusCause } from '@karpenter/core/schema';

/** The values of a Status object's `reason` that this server uses. */
export type StatusReason =
  | 'AlreadyExists'
  | 'BadRequest'
  | 'Conflict'
  | 'Expired'
  | 'Forbidden'
  | 'Gone'
  | 'InternalError'
  | 'Invalid'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'NotFound'
  | 'RequestEntityTooLarge'
  | 'ServiceUnavailable'
  | 'Timeout'
  | 'TooManyRequests'
  | 'Unauthorized'
  | 'UnsupportedMediaType';

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/**
 * An error that the client receives as a Status, with this message. Everything below the HTTP layer throws
 * it.
 */
export class StatusError extends Error {
  readonly code: number;
  /** Absent where kube-apiserver gives none. */
  readonly reason: StatusReason | undefined;
  readonly details: StatusDetails | undefined;

  constructor(code: number, reason: StatusReason | undefined, message: string, details?: StatusDetails) {
    super(message);
    this.name = 'StatusError';
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  toStatus(): JsonObject {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      ...(this.reason === undefined ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: detailsJson(this.details) }),
      code: this.code,
    };
  }
}

/** Turns any error into a StatusError; errors of other types become a 500. */
export function statusErrorOf(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  const text = messageOf(error);
  return new StatusError(500, 'InternalError', `Internal error occurred: ${text}`, {
    causes: [{ reason: 'InternalError', field: '', message: text }],
  });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function hasReason(error: unknown, reason: StatusReason): boolean {
  return error instanceof StatusError && error.reason === reason;
}

function detailsJson({ causes, ...rest }: StatusDetails): JsonObject {
  return {
    ...withoutUndefined(rest),
    ...(causes === undefined ? {} : { causes: causes.map((cause) => ({ ...cause })) }),
  };
}

function withoutUndefined(values: Omit<StatusDetails, 'causes'>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
