import { Agent, type ClientRequest, type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';
import type { Socket } from 'node:net';
import { type ConnectionOptions, TLSSocket } from 'node:tls';
import { firstHeader, type HttpRequest, type HttpResponse, type Transport } from './transport.ts';

/** `lifo` reuses the most recent connection, so that surplus ones go idle and close. */
const keepAlive = { keepAlive: true, keepAliveMsecs: 30_000, scheduling: 'lifo' } as const;

/** HTTP/1.1 over keep-alive connections, one per concurrent request. */
export class Http1Transport implements Transport {
  readonly #server: URL;
  readonly #agent: Agent;
  readonly #tls: ConnectionOptions;

  constructor(server: URL, tls: ConnectionOptions, agent?: Agent) {
    this.#server = server;
    // Our own agent has the TLS options already; a proxy agent needs them with each request.
    this.#tls = agent === undefined ? {} : tls;
    this.#agent =
      agent ??
      (server.protocol === 'https:' ? new SecureAgent({ ...tls, ...keepAlive }) : new Agent(keepAlive));
  }

  send(request: HttpRequest): Promise<HttpResponse> {
    const { method, path, headers, body, cancellation, beforeSend } = request;
    // Set explicitly, because Node omits it for methods that usually have no body, such as DELETE.
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const options: RequestOptions = { ...this.#tls, method, headers: { ...headers, ...length } };
    const start = this.#server.protocol === 'https:' ? requestSecure : requestPlain;
    return new Promise((resolve, reject) => {
      const sent = start(new URL(path, this.#server), { ...options, agent: this.#agent }, (response) =>
        resolve({
          status: response.statusCode ?? 0,
          header: (name) => firstHeader(response.headers[name]),
          body: response,
          discard: () => void response.destroy(),
        }),
      );
      sent.on('error', reject);
      cancellation.onCancel((reason) => sent.destroy(reason));
      const finish = () => sent.end(body);
      if (beforeSend === undefined) finish();
      else whenConnected(sent, () => (isAllowed(beforeSend, reject) ? finish() : sent.destroy()));
    });
  }

  async close(): Promise<void> {
    this.#agent.destroy();
  }
}

/**
 * Delays `send` until the connection is open. Node buffers data that is written earlier and sends it on connect,
 * however long after the check of the fence that is (ADR 0036).
 */
function whenConnected(request: ClientRequest, send: () => void): void {
  request.once('socket', (socket) => {
    if (!isConnecting(socket)) send();
    else socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', send);
  });
}

function isConnecting(socket: Socket): boolean {
  return socket.connecting || ('secureConnecting' in socket && socket.secureConnecting === true);
}

function isAllowed(beforeSend: () => void, refuse: (error: unknown) => void): boolean {
  try {
    beforeSend();
    return true;
  } catch (error) {
    refuse(error);
    return false;
  }
}
