import { CodedError } from '@karpenter/core/errors';
import { type DurationMs, durationMs } from '@karpenter/core/values';

/** One of several causes that an API server gives, such as each invalid field. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The `Status` object of an API server, as far as it says why something failed. */
export interface Status {
  readonly code: number;
  /** In one word, for programs: `NotFound`, `Conflict`. */
  readonly reason: string;
  readonly message: string;
  readonly causes: readonly StatusCause[];
  readonly retryAfter?: DurationMs;
}

/** The API server answered, and the answer was no. */
export class ApiError extends CodedError {
  /** The code of HTTP: 404, 409, … */
  readonly status: number;
  readonly reason: string;
  readonly causes: readonly StatusCause[];
  /** How long the server asks to wait before trying again. */
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
/** Someone else wrote first, or owns a field that was to be applied. */
export const isConflict = when(({ status, reason }) => status === 409 && reason !== 'AlreadyExists');
/** The version asked for is no longer kept: list again. */
export const isGone = when(({ status }) => status === 410);
export const isInvalid = when(({ status }) => status === 422);
export const isTooManyRequests = when(({ status }) => status === 429);
export const isForbidden = when(({ status }) => status === 403);
export const isUnauthorized = when(({ status }) => status === 401);
/** The server is overloaded, starting or stopping; the same request may succeed later. */
export const isUnavailable = when(({ status }) => status >= 500);
/** A write into a namespace that is being deleted. */
export const isNamespaceTerminating = when(({ causes }) =>
  causes.some(({ reason }) => reason === 'NamespaceTerminating'),
);
/** An eviction that a PodDisruptionBudget forbids for now. */
export const isDisruptionBudgetRefusal = when(
  ({ status, causes }) => status === 429 && causes.some(({ reason }) => reason === 'DisruptionBudget'),
);

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

/** Reads what came with an error code: a `Status` as a rule, but proxies and overloaded servers send text. */
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

function causeFrom(cause: Readonly<Record<string, unknown>>): StatusCause {
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
