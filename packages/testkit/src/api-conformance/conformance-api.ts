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
  /** Of a user who may do everything. */
  readonly token: string;
}

export interface RequestOptions {
  readonly body?: JsonObject | string | Buffer | readonly unknown[];
  /** A list for a header that occurs more than once. */
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

/** A server as a conformance case sees it: requests and replies, nothing else. */
export class ConformanceApi {
  readonly #server: ServerUnderTest;
  readonly #agent: Agent;
  /** Empty for somebody who does not say who they are. */
  readonly #token: string;
  /** The namespace of the case. */
  readonly namespace: string;

  constructor(server: ServerUnderTest, namespace: string, token = server.token) {
    this.#server = server;
    this.#agent = new Agent({ keepAlive: true, ca: server.caPem });
    this.#token = token;
    this.namespace = namespace;
  }

  /** The same server as somebody else sees it; who asks without a token is unknown. */
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

  /** A reply with as much of its body as came at once; the rest comes until the client leaves. */
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

  /** A watch on the path; `query` begins without `?`. */
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
          // As it is: a URL object would tidy up the dots and slashes that some cases are about.
          path,
          method,
          agent: this.#agent,
          headers: {
            accept: 'application/json',
            ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
            // Node sends the body of a DELETE only when it is told how long it is.
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
