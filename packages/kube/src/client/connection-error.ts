import { CodedError } from '@karpenter/core/errors';

/** No usable answer came: the server could not be reached, or the connection broke or fell silent. */
export class ConnectionError extends CodedError {
  /** The server surely did nothing, so that anything may be sent again. */
  readonly unsent: boolean;

  constructor(action: string, why: unknown, options: { readonly unsent?: boolean } = {}) {
    super('api-unreachable', `cannot ${action}: ${describe(why)}`, { cause: why });
    this.name = 'ConnectionError';
    this.unsent = options.unsent ?? false;
  }
}

/** Errors of sockets that were refused on several addresses say nothing themselves; their parts do. */
function describe(why: unknown): string {
  if (typeof why === 'string') return why;
  if (why instanceof AggregateError && why.message === '') return why.errors.map(describe).join(', ');
  return why instanceof Error ? why.message : String(why);
}
