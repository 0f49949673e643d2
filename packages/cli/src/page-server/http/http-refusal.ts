import { CodedError, type ErrorCode } from '@karpenter/core/errors';

/** A request that is answered with a status of its own. */
export class HttpRefusal extends CodedError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    {
      code = 'request-refused',
      headers = {},
    }: { readonly code?: ErrorCode; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(code, message);
    this.status = status;
    this.headers = headers;
  }
}
