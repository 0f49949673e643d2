import { CodedError } from '@karpenter/core/errors';
import { type DurationMs, durationMs } from '@karpenter/core/values';

/** One entry of `Status.details.causes`, such as one invalid field. */
export interface ApiErrorCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The parts of an API server's `Status` object that explain a failure. */
export interface Status {
  readonly code: number;
  /** Machine-readable reason, such as `NotFound` or `Conflict`. */
  readonly reason: string;
  readonly message: string;
  readonly causes: readonly ApiErrorCause[];
  readonly retryAfter?: DurationMs;
}

/**
 * The API server responded with an error status. Classify
 * it with the `is...` guards below, not by its message.
 */
export class ApiError extends CodedError {
  /** HTTP status code. */
  readonly status: number;
  readonly reason: string;
  readonly causes: readonly ApiErrorCause[];
  /** Delay before a retry, from the Retry-After header or `details.retryAfterSeconds`. */
  readonly retryAfter: DurationMs | undefined;

  constructor(action: string, status: Status) {
    super('api-refused', `cannot ${action}: ${status.message}`, {
      details: { status: status.code, reason: status.reason },
    });
    this.name = 'ApiError';
    this.status = status.code;
    this.reason = status.reason;
    this.causes = status.causes;
    this.retryAfter = status.retryAfter;
  }
}

type Guard = (error: unknown) => error is ApiError;

const when =
  (test: (error: ApiError) => boolean): Guard =>
  (error): error is ApiError =>
    error instanceof ApiError && test(error);

export const isNotFound = when(({ status }) => status === 404);
export const isAlreadyExists = when(({ status, reason }) => status === 409 && reason === 'AlreadyExists');
/** Another writer changed the object first, or another field manager owns an applied field. */
export const isConflict = when(({ status, reason }) => status === 409 && reason !== 'AlreadyExists');
/** The server has compacted the requested resource version; list again. */
export const isGone = when(({ status }) => status === 410);
export const isInvalid = when(({ status }) => status === 422);
export const isTooManyRequests = when(({ status }) => status === 429);
export const isForbidden = when(({ status }) => status === 403);
export const isUnauthorized = when(({ status }) => status === 401);
/** The write went to a namespace that is being deleted. */
export const isNamespaceTerminating = when(({ causes }) =>
  causes.some(({ reason }) => reason === 'NamespaceTerminating'),
);
/** A PodDisruptionBudget forbids the eviction for now. */
export const isDisruptionBudgetRefusal = when(
  ({ status, causes }) => status === 429 && causes.some(({ reason }) => reason === 'DisruptionBudget'),
);

/** Reasons for responses that carry no `Status`. */
const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/**
 * Reads the body of an error response. It is usually a `Status`, but proxies and overloaded servers send
 * plain text, of which the message keeps the first 500 characters.
 */
export function statusFrom(code: number, body: unknown, retryAfterSeconds?: number): Status {
  const stated = isRecord(body) ? body : {};
  const details = isRecord(stated['details']) ? stated['details'] : {};
  const seconds = retryAfterSeconds ?? details['retryAfterSeconds'];
  const text = typeof body === 'string' ? body.trim().slice(0, 500) : '';
  const realCode = typeof stated['code'] === 'number' && stated['code'] > 0 ? stated['code'] : code;
  return {
    code: realCode,
    reason: textOf(stated['reason']) || reasons[realCode] || 'Unknown',
    message: textOf(stated['message']) || text || `the server answered with code ${realCode}`,
    causes: Array.isArray(details['causes']) ? details['causes'].filter(isRecord).map(causeFrom) : [],
    ...(typeof seconds === 'number' ? { retryAfter: durationMs(seconds * 1000) } : {}),
  };
}

function causeFrom(cause: Readonly<Record<string, unknown>>): ApiErrorCause {
  const { reason, message, field } = cause;
  return {
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof field === 'string' ? { field } : {}),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
