import { type IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import { CodedError } from '@karpenter/core/errors';
import type { KeyedCertificate } from '@karpenter/kube/certificates';
import { outsideHttp2Callbacks } from '@karpenter/kube/client';
import type { UpgradeSocket } from '../containers/index.ts';
import type { Incoming, Outgoing } from './reply.ts';

export interface HttpServerOptions {
  readonly serving: KeyedCertificate;
  /** PEM of the CA whose client certificates are accepted. */
  readonly authority: string;
  /** Handles one request. A rejection destroys the response. */
  handle(request: Incoming, response: Outgoing, upgrade?: () => UpgradeSocket): Promise<void>;
}

/** HTTPS on loopback, with HTTP/2 and HTTP/1.1 by ALPN. */
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
      // A client certificate of another CA does not end the handshake: the request may carry a valid token.
      rejectUnauthorized: false,
      settings: { maxConcurrentStreams: 1000 },
      // In MB. Node's default of 10 ends streams of a session that buffers more, and the watch events of one
      // large rollout already exceed that.
      maxSessionMemory: 1_000,
    });
    // Track connections rather than HTTP/2 sessions, since HTTP/1.1 clients have no session. A watch would
    // otherwise keep close() waiting.
    this.#server.on('connection', (connection: Socket) => {
      this.#connections.add(connection);
      connection.on('close', () => this.#connections.delete(connection));
    });
    this.#server.on('request', (request, response) => {
      // A client that disconnects early emits an error event, which would crash the process without a
      // listener.
      request.on('error', () => {});
      response.on('error', () => {});
      // A reply that cannot be sent ends its own response, not the process.
      options.handle(request, response).catch(() => outsideHttp2Callbacks(() => response.destroy()));
    });
    // HTTP/1.1 only. Handled like other requests, so that a rejected upgrade gets a reply.
    this.#server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => {});
      const response = replyOn(request, socket);
      const upgrade = () => {
        response.detachSocket(socket);
        return { socket, head };
      };
      // The cast is safe: Node's HTTP/2 compatibility API has the requests and responses of HTTP/1.1.
      options.handle(request as never, response as never, upgrade).catch(() => socket.destroy());
    });
    // The same for a client that aborts the TLS handshake.
    this.#server.on('sessionError', () => {});
    this.#server.on('tlsClientError', () => {});
  }

  /** Resolves with the port the server listens on; rejects with the code `port-in-use` when it is taken. */
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
    await outsideHttp2Callbacks(() => {
      for (const connection of this.#connections) connection.destroy();
    });
    await closed;
  }
}

/** A response on the socket of an upgrade request, for which Node creates none. */
function replyOn(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.on('finish', () => socket.end());
  return response;
}

function listenError(error: Error, port: number): Error {
  if (!('code' in error) || error.code !== 'EADDRINUSE') return error;
  return new CodedError(
    'port-in-use',
    `cannot listen on port ${port} of 127.0.0.1: another program uses it; choose another with --port`,
    { details: { port } },
  );
}
