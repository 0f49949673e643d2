import { Agent, type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { firstHeader, type HttpRequest, type HttpResponse, type Transport } from './transport.ts';

const keepAlive = { keepAlive: true, keepAliveMsecs: 30_000, scheduling: 'lifo' } as const;

/** HTTP/1.1 over connections kept alive, as many as there are requests at once. */
export class Http1Transport implements Transport {
  readonly #server: URL;
  readonly #agent: Agent;
  readonly #tls: ConnectionOptions;

  constructor(server: URL, tls: ConnectionOptions, agent?: Agent) {
    this.#server = server;
    // An agent of our own has it already; one that was given may not.
    this.#tls = agent === undefined ? {} : tls;
    this.#agent =
      agent ??
      (server.protocol === 'https:' ? new SecureAgent({ ...tls, ...keepAlive }) : new Agent(keepAlive));
  }

  send(request: HttpRequest): Promise<HttpResponse> {
    const { method, path, headers, body, cancellation } = request;
    // Said aloud, because Node leaves it out where a body is unusual, as with DELETE.
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const options: RequestOptions = { ...this.#tls, method, headers: { ...headers, ...length } };
    const start = this.#server.protocol === 'https:' ? requestSecure : requestPlain;
    return new Promise((resolve, reject) => {
      const sent = start(new URL(path, this.#server), { ...options, agent: this.#agent }, (response) =>
        resolve({
          status: response.statusCode ?? 0,
          header: (name) => firstHeader(response.headers[name]),
          body: response,
        }),
      );
      sent.on('error', reject);
      cancellation.onCancel((reason) => sent.destroy(reason));
      sent.end(body);
    });
  }

  async close(): Promise<void> {
    this.#agent.destroy();
  }
}
