import { once } from 'node:events';
import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http';
import { constants, createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { durationMs } from '@karpenter/core/values';
import { createAuthority, createLeaf, type KeyedCertificate } from '@karpenter/kube/certificates';
import { outsideHttp2Callbacks } from '@karpenter/kube/client';

/** A request and its reply, independent of the HTTP version. */
export interface ServerExchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly protocol: 'HTTP/1.1' | 'HTTP/2';
  /** Subject of the client certificate, if the server trusts it. */
  readonly clientSubject: string | undefined;
  body(): Promise<string>;
  start(status: number, headers?: Readonly<Record<string, string>>): void;
  /** Returns false while the client reads more slowly than the test writes. */
  write(text: string): boolean;
  end(text?: string): void;
  /** Closes the connection, including all other requests on it. */
  drop(): void;
  /** Aborts this request without finishing the reply. Over HTTP/1.1 that closes the connection. */
  reset(): void;
  /** Sends GOAWAY: the client must open another connection for further requests. */
  goAway(): void;
  onClose(listener: () => void): void;
  /** Called once when the client has read everything. */
  onDrain(listener: () => void): void;
}

export type ExchangeHandler = (exchange: ServerExchange) => void | Promise<void>;

export interface TestHttpServerOptions {
  /** Defaults to `h2`. */
  readonly protocol?: 'http' | 'https' | 'h2';
  /** Requests a client certificate signed by the authority of this server. */
  readonly clientCertificates?: boolean;
}

export interface TestHttpServer {
  readonly url: string;
  /** The issuer of the server certificate; can also sign client certificates. */
  readonly authority: KeyedCertificate;
  /** Number of connections so far. */
  readonly connections: number;
  close(): Promise<void>;
}

const validity = { from: Date.now(), lasts: durationMs(86_400_000) };

/** A real HTTP server on loopback whose replies the test controls byte by byte. */
export async function startHttpServer(
  handler: ExchangeHandler,
  options: TestHttpServerOptions = {},
): Promise<TestHttpServer> {
  const { protocol = 'h2' } = options;
  const authority = createAuthority('test servers', validity);
  const server = listener(handler, authority, options);
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${protocol === 'http' ? 'http' : 'https'}://127.0.0.1:${port}`,
    authority,
    get connections() {
      return connections;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      await outsideHttp2Callbacks(() => {
        for (const socket of sockets) socket.destroy();
      });
      await closed;
    },
  };
}

function listener(
  handler: ExchangeHandler,
  authority: KeyedCertificate,
  options: TestHttpServerOptions,
): Server {
  const { protocol = 'h2', clientCertificates = false } = options;
  if (protocol === 'http') return createPlain((request, response) => void handler(http1(request, response)));
  const names = ['127.0.0.1', 'localhost'];
  const serving = createLeaf(authority, { ...validity, commonName: 'server', usage: 'server', names });
  const tls = { ...serving, ca: authority.cert, requestCert: clientCertificates, rejectUnauthorized: false };
  return protocol === 'https'
    ? createSecure(tls, (request, response) => void handler(http1(request, response)))
    : createSecureServer(tls, (request, response) => void handler(http2(request, response)));
}

function http1(request: IncomingMessage, response: ServerResponse): ServerExchange {
  return {
    ...shared(request, response),
    protocol: 'HTTP/1.1',
    start: (status, headers = {}) => {
      response.writeHead(status, headers);
      response.flushHeaders();
    },
    write: (text) => response.write(text),
    end: (text = '') => void response.end(text),
    drop: () => void request.socket.destroy(),
    reset: () => void request.socket.destroy(),
    goAway: () => undefined,
  };
}

function http2(request: Http2ServerRequest, response: Http2ServerResponse): ServerExchange {
  const { stream } = request;
  const isOpen = () => !stream.destroyed && !stream.writableEnded;
  return {
    ...shared(request, response),
    protocol: 'HTTP/2',
    start: (status, headers = {}) => {
      if (isOpen()) stream.respond({ ...headers, ':status': status });
    },
    write: (text) => isOpen() && stream.write(text),
    end: (text = '') => {
      if (isOpen()) stream.end(text);
    },
    drop: () => void outsideHttp2Callbacks(() => stream.session?.destroy()),
    reset: () => void outsideHttp2Callbacks(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR)),
    goAway: () => stream.session?.goaway(),
  };
}

function shared(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) {
  const { socket } = request;
  const peer = 'getPeerCertificate' in socket && 'authorized' in socket && socket.authorized;
  const subject = peer ? socket.getPeerX509Certificate()?.subject : undefined;
  return {
    method: request.method ?? '',
    url: new URL(request.url ?? '/', 'https://localhost'),
    headers: request.headers,
    clientSubject: subject,
    async body() {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      return Buffer.concat(chunks).toString('utf8');
    },
    onClose: (heard: () => void) => void response.on('close', heard),
    onDrain: (heard: () => void) => void response.once('drain', heard),
  };
}
