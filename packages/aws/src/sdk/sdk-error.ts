import type { AwsError } from '../ports/index.ts';

/** Which call it was. */
export interface CallName {
  readonly service: string;
  readonly operation: string;
}

interface ThrownFields {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly Code?: unknown;
  /** Of the system, when no answer came: `ECONNRESET`. */
  readonly code?: unknown;
  readonly $fault?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: unknown; readonly requestId?: unknown };
}

/** A failure of the SDK in the shape that the ports promise. */
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

  /** No answer at all, or one that cannot be read, is never the fault of whoever asked. */
  #faultOf({ $fault }: ThrownFields): 'client' | 'server' {
    if (this.statusCode === 0) return 'server';
    if ($fault === 'client' || $fault === 'server') return $fault;
    return this.statusCode >= 400 && this.statusCode < 500 ? 'client' : 'server';
  }
}

/**
 * Services send codes (`NoSuchEntity`) for failures that the SDK names otherwise (`NoSuchEntityException`). Those of
 * SQS are of a protocol that it spoke before (`AWS.SimpleQueueService.NonExistentQueue`): there the name is the code. What the network
 * fails with goes by the code of the system, since the SDK calls a broken connection a timeout.
 */
function codeOf(fields: ThrownFields, service: string): string {
  const sent = service === 'SQS' ? '' : text(fields.Code);
  return sent || text(fields.code) || text(fields.name) || 'Unknown';
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
