import type { Readable } from 'node:stream';

/** A request, independent of the HTTP version. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly cancellation: Cancellation;
  /** The response streams until one side ends it, as for a watch. */
  readonly isLasting: boolean;
  /**
   * Called when the connection is open, just before the request is sent. If it throws, `send` rejects with its error
   * and sends nothing. An earlier check is not enough, because the wait for a connection has no limit.
   */
  readonly beforeSend?: (() => void) | undefined;
}

/** Cancels a request. Not an AbortSignal, because creating one for each request costs too much (ADR 0021). */
export interface Cancellation {
  /** Why the request was cancelled; absent while it is not. */
  readonly reason: Error | undefined;
  /** Sets the listener to call on cancellation. Calls it at once if the request is cancelled already. */
  onCancel(listener: (reason: Error) => void): void;
}

export interface HttpResponse {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /**
   * The caller must read it to the end or call `discard`, or the connection stays occupied. The caller must not destroy
   * it, see http2-callbacks.ts.
   */
  readonly body: Readable;
  /** Ends the response and drops the unread rest of the body. */
  discard(): void;
}

/**
 * Sends requests over pooled connections. `send` rejects only if no response came; error statuses resolve.
 */
export interface Transport {
  send(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}

export function firstHeader(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}
