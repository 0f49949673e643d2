import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import { CodedError } from '@karpenter/core/errors';
import { outsideHttp2Callbacks } from './http2-callbacks.ts';
import type { Http2SessionPool } from './http2-session-pool.ts';
import { firstHeader, type HttpRequest, type HttpResponse, type Transport } from './transport.ts';

/**
 * The server refused the stream before it processed the request (REFUSED_STREAM), so that a retry is safe.
 */
export class RefusedStream extends Error {}

/**
 * HTTP/2: many requests over few connections. Watches have a session pool of their
 * own, because a connection divides its bandwidth evenly between its streams: a few
 * hundred concurrent responses would delay the events of a watch until they end.
 * Writes have one too, so that the fence can guard their connections.
 */
export class Http2Transport implements Transport {
  readonly #reads: Http2SessionPool;
  readonly #watches: Http2SessionPool;
  readonly #writes: Http2SessionPool;

  constructor(pools: {
    readonly reads: Http2SessionPool;
    readonly watches: Http2SessionPool;
    readonly writes: Http2SessionPool;
  }) {
    this.#reads = pools.reads;
    this.#watches = pools.watches;
    this.#writes = pools.writes;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const { cancellation, beforeSend, body } = request;
    const { session, release } = await this.#poolFor(request).acquire();
    let stream: ClientHttp2Stream;
    try {
      // The request may have been cancelled during the wait, and `onCancel` below would run after the headers are sent.
      if (cancellation.reason !== undefined) throw cancellation.reason;
      beforeSend?.();
      stream = openStream(session, request);
    } catch (error) {
      release();
      if (error instanceof CodedError || error === cancellation.reason) throw error;
      throw new RefusedStream('the connection was ending', { cause: error });
    }
    stream.once('close', release);
    cancellation.onCancel((reason) => void outsideHttp2Callbacks(() => cancel(stream, reason)));
    return responseOf(stream, body);
  }

  async close(): Promise<void> {
    await Promise.all([this.#reads, this.#watches, this.#writes].map((pool) => pool.close()));
  }

  #poolFor({ isLasting, beforeSend }: HttpRequest): Http2SessionPool {
    if (isLasting) return this.#watches;
    return beforeSend === undefined ? this.#reads : this.#writes;
  }
}

function openStream(session: ClientHttp2Session, request: HttpRequest): ClientHttp2Stream {
  const { method, path, headers, body } = request;
  return session.request({ ...headers, ':method': method, ':path': path }, { endStream: body === undefined });
}

/** Resets the stream with CANCEL rather than an error code, so that the server does not count a fault. */
function cancel(stream: ClientHttp2Stream, reason: Error): void {
  stream.close(constants.NGHTTP2_CANCEL);
  stream.destroy(reason);
}

function responseOf(stream: ClientHttp2Stream, body: string | undefined): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const ended = () =>
      reject(
        wasRefused(stream)
          ? new RefusedStream('refused')
          : new Error('the connection ended without an answer'),
      );
    stream.on('error', (error) => reject(wasRefused(stream) ? new RefusedStream(error.message) : error));
    stream.once('close', ended);
    stream.once('response', (headers) => {
      // Otherwise each successful response would create an Error with a stack trace when its stream closes.
      stream.off('close', ended);
      resolve({
        status: headers[':status'] ?? 0,
        header: (name) => firstHeader(headers[name]),
        body: stream,
        discard: () => void outsideHttp2Callbacks(() => stream.destroy()),
      });
    });
    if (body !== undefined) stream.end(body);
  });
}

function wasRefused(stream: ClientHttp2Stream): boolean {
  return stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
}
