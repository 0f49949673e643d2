import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';

/** Returns the base URL of a service, or undefined when it is unknown. */
export type ServiceResolver = (namespace: string, name: string, port: number) => string | undefined;

export interface WebhookCall {
  /** `url` or `service`, with `caBundle`. */
  readonly clientConfig: JsonObject;
  readonly body: JsonObject;
  readonly timeoutMs: number;
}

/** The webhook did not respond, or not with status 200. */
export class UnreachableWebhook extends Error {}

/** Calls webhooks over HTTPS. It rejects with an Error whose message goes to the client. */
export class WebhookClient {
  readonly #resolve: ServiceResolver;

  constructor(resolve: ServiceResolver) {
    this.#resolve = resolve;
  }

  async call({ clientConfig, body, timeoutMs }: WebhookCall): Promise<JsonObject> {
    const url = this.#urlOf(clientConfig);
    url.searchParams.set('timeout', `${timeoutMs / 1000}s`);
    const reply = parseReply(
      await post(url, { ca: caOf(clientConfig), body: JSON.stringify(body), timeoutMs }),
    );
    if (!isJsonObject(reply)) throw new Error('the webhook did not answer with an object');
    return reply;
  }

  #urlOf(config: JsonObject): URL {
    if (typeof config['url'] === 'string') return new URL(config['url']);
    const { service } = config;
    const namespace = String(member(service, 'namespace') ?? '');
    const name = String(member(service, 'name') ?? '');
    const base = this.#resolve(namespace, name, Number(member(service, 'port') ?? 443));
    if (base === undefined) throw new Error(`service "${name}" not found`);
    return new URL(String(member(service, 'path') ?? '/'), base);
  }
}

function caOf({ caBundle }: JsonObject): string | undefined {
  return typeof caBundle === 'string' && caBundle !== ''
    ? Buffer.from(caBundle, 'base64').toString('utf8')
    : undefined;
}

function parseReply(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the webhook did not answer with JSON');
  }
}

/** Limits memory. One object has a few megabytes at most; a conversion review of many has tens. */
const maxReplyBytes = 256 * 1024 * 1024;

interface PostOptions {
  readonly ca: string | undefined;
  readonly body: string;
  readonly timeoutMs: number;
}

function post(url: URL, { ca, body, timeoutMs }: PostOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new UnreachableWebhook(`Post "${url}": ${failureText(error)}`));
    const sent = httpsRequest(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(timeoutMs),
        ...(ca === undefined ? {} : { ca }),
      },
      (response) => {
        readReply(response).then(resolve, fail);
      },
    );
    sent.on('error', fail);
    sent.end(body);
  });
}

async function readReply(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > maxReplyBytes) throw new Error(`the answer has more than ${maxReplyBytes} bytes`);
    chunks.push(chunk);
  }
  if (response.statusCode === 200) return Buffer.concat(chunks).toString('utf8');
  throw new Error(`the server answered ${response.statusCode}`);
}

/** Uses the messages of Go's HTTP client where it has one for the same failure. */
function failureText(error: Error): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'context deadline exceeded';
  if (!('code' in error)) return error.message;
  if (error.code === 'ECONNREFUSED' && 'address' in error && 'port' in error)
    return `dial tcp ${error.address}:${error.port}: connect: connection refused`;
  return error.code === 'ECONNRESET' ? 'unexpected EOF' : error.message;
}
