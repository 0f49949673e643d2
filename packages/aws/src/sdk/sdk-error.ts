import type { AwsError } from '../ports/index.ts';

/** Which call it was. */
export interface CallName {
  readonly service: string;
  readonly operation: string;
}

interface Told {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly Code?: unknown;
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
    const told: Told = typeof cause === 'object' && cause !== null ? cause : {};
    super(text(told.message) || String(cause), { cause });
    this.service = service;
    this.operation = operation;
    this.code = text(told.Code) || nameOf(told);
    const { httpStatusCode, requestId } = told.$metadata ?? {};
    this.statusCode = typeof httpStatusCode === 'number' ? httpStatusCode : 0;
    this.requestId = text(requestId);
    this.fault = this.#faultOf(told);
  }

  /** No answer at all is never the fault of whoever asked. */
  #faultOf({ $fault }: Told): 'client' | 'server' {
    if (this.statusCode === 0) return 'server';
    if ($fault === 'client' || $fault === 'server') return $fault;
    return this.statusCode >= 500 ? 'server' : 'client';
  }
}

/** Failures of the network are all called Error; what Node calls them says more. */
function nameOf({ name, code }: Told): string {
  const told = text(name);
  return (told === 'Error' ? text(code) : '') || told || 'Unknown';
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
