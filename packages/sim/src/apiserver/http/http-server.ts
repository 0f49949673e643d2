import { createSecureServer, type Http2SecureServer, type Http2Session } from 'node:http2';
import { CodedError } from '@karpenter/core/errors';
import type { KeyedCertificate } from '@karpenter/kube/certificates';
import type { Incoming, Outgoing } from './reply.ts';

export interface HttpServerOptions {
  readonly serving: KeyedCertificate;
  /** Client certificates of this authority are believed. */
  readonly authority: string;
  handle(request: Incoming, response: Outgoing): Promise<void>;
}

/** HTTPS on loopback, HTTP/2 for those who can and HTTP/1.1 for the others. */
export class HttpServer {
  readonly #server: Http2SecureServer;
  readonly #sessions = new Set<Http2Session>();

  constructor(options: HttpServerOptions) {
    const { serving, authority } = options;
    this.#server = createSecureServer({
      allowHTTP1: true,
      cert: serving.cert,
      key: serving.key,
      ca: authority,
      requestCert: true,
      // A certificate that is not ours does not end the conversation: the token may be good.
      rejectUnauthorized: false,
      settings: { maxConcurrentStreams: 1000 },
      // Node ends streams of sessions beyond 10 MB, which the events of one large rollout already are.
      maxSessionMemory: 1_000,
    });
    this.#server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
    });
    this.#server.on('request', (request, response) => void options.handle(request, response));
    // A client that breaks off its handshake is its own affair.
    this.#server.on('sessionError', () => {});
    this.#server.on('tlsClientError', () => {});
  }

  /** Resolves with the port that was taken. */
  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error) => reject(listenError(error, port)));
      this.#server.listen(port, '127.0.0.1', () => {
        const address = this.#server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const session of this.#sessions) session.destroy();
    await closed;
  }
}

function listenError(error: Error, port: number): Error {
  if (!('code' in error) || error.code !== 'EADDRINUSE') return error;
  return new CodedError(
    'port-in-use',
    `cannot listen on port ${port} of 127.0.0.1: another program uses it; choose another with --port`,
    { details: { port } },
  );
}
