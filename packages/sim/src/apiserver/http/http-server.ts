import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
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
  readonly #connections = new Set<Socket>();

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
    // Connections rather than sessions: those who speak HTTP/1.1 have none of the latter.
    this.#server.on('connection', (connection: Socket) => {
      this.#connections.add(connection);
      connection.on('close', () => this.#connections.delete(connection));
    });
    this.#server.on('request', (request, response) => {
      // A client that leaves half way is its own affair.
      request.on('error', () => {});
      response.on('error', () => {});
      // A reply that cannot be sent ends its connection, not the process.
      options.handle(request, response).catch(() => response.destroy());
    });
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
    for (const connection of this.#connections) connection.destroy();
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
