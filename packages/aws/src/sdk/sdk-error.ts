import type { AwsError } from '../ports/index.ts';

/** Service and operation of a call. */
export interface CallName {
  readonly service: string;
  readonly operation: string;
}

interface ThrownFields {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly Code?: unknown;
  /** Code of a system error if there is no response, such as `ECONNRESET`. */
  readonly code?: unknown;
  readonly $fault?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: unknown; readonly requestId?: unknown };
}

/** An error of the SDK as the AwsError that the ports promise. */
export class SdkError extends Error implements AwsError {
  override readonly name = 'AwsError';
  readonly code: string;
  readonly service: string;
  readonly operation: string;
  readonly statusCode: number;
  readonly requestId: string;
  readonly fault: 'client' | 'server';

  constructor(cause: unknown, { service, operation }: CallName) {
    const fields: ThrownFields = typeof cause === 'object' && cause !== null ? cause : {};
    super(text(fields.message) || String(cause), { cause });
    this.service = service;
    this.operation = operation;
    this.code = codeOf(fields, service);
    const { httpStatusCode, requestId } = fields.$metadata ?? {};
    this.statusCode = typeof httpStatusCode === 'number' ? httpStatusCode : 0;
    this.requestId = text(requestId);
    this.fault = this.#faultOf(fields);
  }

  /** A missing or unreadable response counts as a server fault. */
  #faultOf({ $fault }: ThrownFields): 'client' | 'server' {
    if (this.statusCode === 0) return 'server';
    if ($fault === 'client' || $fault === 'server') return $fault;
    return this.statusCode >= 400 && this.statusCode < 500 ? 'client' : 'server';
  }
}

/**
 * Prefers the code that the service sent (`NoSuchEntity`) to the name in the SDK (`NoSuchEntityException`). Not for
 * SQS, which still sends codes of its earlier protocol (`AWS.SimpleQueueService.NonExistentQueue`). Network errors have
 * the code of the system, because the SDK names a broken connection a timeout.
 */
function codeOf(fields: ThrownFields, service: string): string {
  const sent = service === 'SQS' ? '' : text(fields.Code);
  return sent || text(fields.code) || text(fields.name) || 'Unknown';
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
