import type { Readable } from 'node:stream';

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly cancellation: Cancellation;
  /** The answer goes on and on, as that of a watch does. */
  readonly isLasting: boolean;
  /**
   * Called when a connection is there and the next thing is to send; what it throws is thrown instead, and nothing is
   * sent. Waiting for a connection may take any time.
   */
  readonly beforeSend?: (() => void) | undefined;
}

/** How a request is given up. An AbortSignal would do, at a cost that every request pays. */
export interface Cancellation {
  /** Absent as long as the request is wanted. */
  readonly reason: Error | undefined;
  /** Sets what to do when the request is given up; it is done at once if that has happened. */
  onCancel(listener: (reason: Error) => void): void;
}

export interface HttpResponse {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** Must be read to its end or destroyed. */
  readonly body: Readable;
}

/** Sends requests over connections that it keeps. Whatever it throws means that no answer came. */
export interface Transport {
  send(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}

export function firstHeader(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}
