import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request as startRequest } from 'node:https';
import { setImmediate } from 'node:timers/promises';
import type { JsonObject } from '@karpenter/core/schema';
import { ServerReply } from './reply.ts';
import { WatchStream } from './watch-stream.ts';

export interface ServerUnderTest {
  readonly url: string;
  readonly caPem: string;
  /** Token of a user with all permissions. */
  readonly token: string;
}

export interface RequestOptions {
  readonly body?: JsonObject | string | Buffer | readonly unknown[];
  /** An array sends the header more than once. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

export interface BegunReply {
  readonly reply: ServerReply;
  leave(): void;
}

/** An API server as a conformance case sees it: HTTP requests and replies, nothing else. */
export class ConformanceApi {
  readonly #server: ServerUnderTest;
  readonly #agent: Agent;
  /** Empty for an anonymous client. */
  readonly #token: string;
  /** Namespace that belongs to the case. */
  readonly namespace: string;

  constructor(server: ServerUnderTest, namespace: string, token = server.token) {
    this.#server = server;
    this.#agent = new Agent({ keepAlive: true, ca: server.caPem });
    this.#token = token;
    this.namespace = namespace;
  }

  /** The same server with the credentials of another user; anonymous without a token. */
  async as<T>(token: string | undefined, use: (other: ConformanceApi) => Promise<T>): Promise<T> {
    const other = new ConformanceApi(this.#server, this.namespace, token ?? '');
    try {
      return await use(other);
    } finally {
      other.close();
    }
  }

  /** `/api/v1/namespaces/<own>/configmaps`, or in a group `/apis/apps/v1/namespaces/<own>/deployments`. */
  path(plural: string, groupVersion = 'v1'): string {
    const root = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
    return `${root}/namespaces/${this.namespace}/${plural}`;
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<ServerReply> {
    const response = await this.#send(method, path, options);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(Buffer.from(chunk));
    const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    return new ServerReply(response.statusCode ?? 0, Object.fromEntries(headers), Buffer.concat(chunks));
  }

  /** Resolves with the first part of the body; the server may keep sending until the client disconnects. */
  async begin(path: string, headers: Readonly<Record<string, string>> = {}): Promise<BegunReply> {
    const response = await this.#send('GET', path, { headers });
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', () => undefined);
    if (response.headers['content-length'] === undefined) await setImmediate();
    else await once(response, 'end');
    return {
      reply: new ServerReply(response.statusCode ?? 0, {}, Buffer.concat(chunks)),
      leave: () => response.destroy(),
    };
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<ServerReply> {
    return this.request('GET', path, { headers });
  }

  post(path: string, body: JsonObject): Promise<ServerReply> {
    return this.request('POST', path, { body });
  }

  put(path: string, body: JsonObject): Promise<ServerReply> {
    return this.request('PUT', path, { body });
  }

  patch(
    type: keyof typeof patchTypes,
    path: string,
    body: JsonObject | readonly unknown[],
  ): Promise<ServerReply> {
    return this.request('PATCH', path, { body, headers: { 'content-type': patchTypes[type] } });
  }

  delete(path: string, body?: JsonObject): Promise<ServerReply> {
    return this.request('DELETE', path, body === undefined ? {} : { body });
  }

  /** Opens a watch on the path; `query` has no leading `?`. */
  async watch(
    path: string,
    query = '',
    headers: Readonly<Record<string, string>> = {},
  ): Promise<WatchStream> {
    const response = await this.#send('GET', `${path}?watch=true&${query}`, { headers });
    return new WatchStream(response);
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, { body, headers }: RequestOptions): Promise<IncomingMessage> {
    const { hostname, port } = new URL(this.#server.url);
    const token = this.#token;
    const bytes = encode(body);
    return new Promise((resolve, reject) => {
      const sent = startRequest(
        {
          hostname,
          port,
          // Sends the path unchanged: a URL object would normalize the dots and slashes that some cases test.
          path,
          method,
          agent: this.#agent,
          headers: {
            accept: 'application/json',
            ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
            // Node sends the body of a DELETE only with an explicit Content-Length.
            ...(bytes === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': bytes.length }),
            ...headers,
          },
        },
        resolve,
      );
      sent.on('error', reject);
      sent.end(bytes);
    });
  }
}

function encode(body: RequestOptions['body']): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
