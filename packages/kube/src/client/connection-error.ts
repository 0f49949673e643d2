import { CodedError } from '@karpenter/core/errors';

/** No usable response: the server is unreachable, or the connection broke or timed out. */
export class ConnectionError extends CodedError {
  /** The server did not process the request, so that even a write can be retried safely. */
  readonly unsent: boolean;

  constructor(action: string, why: unknown, options: { readonly unsent?: boolean } = {}) {
    super('api-unreachable', `cannot ${action}: ${describe(why)}`, { cause: why });
    this.name = 'ConnectionError';
    this.unsent = options.unsent ?? false;
  }
}

/** An AggregateError of a dual-stack connect has an empty message; its parts name the addresses. */
function describe(why: unknown): string {
  if (typeof why === 'string') return why;
  if (why instanceof AggregateError && why.message === '') return why.errors.map(describe).join(', ');
  return why instanceof Error ? why.message : String(why);
}
