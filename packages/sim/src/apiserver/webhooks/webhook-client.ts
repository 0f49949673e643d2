import { request as httpsRequest } from 'node:https';
import { isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';

/** Where a webhook is: a URL, or a service that something must turn into one. */
export type ServiceResolver = (namespace: string, name: string, port: number) => string | undefined;

export interface WebhookCall {
  /** `url` or `service`, with `caBundle`. */
  readonly clientConfig: JsonObject;
  readonly body: JsonObject;
  readonly timeoutMs: number;
}

/** Asks webhooks. Every failure is an Error whose message says what went wrong on the way. */
export class WebhookClient {
  readonly #resolve: ServiceResolver;

  constructor(resolve: ServiceResolver) {
    this.#resolve = resolve;
  }

  async call({ clientConfig, body, timeoutMs }: WebhookCall): Promise<JsonObject> {
    const url = this.#urlOf(clientConfig);
    const reply = parseReply(await post(url, caOf(clientConfig), JSON.stringify(body), timeoutMs));
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

function post(url: URL, ca: string | undefined, body: string, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(timeoutMs),
        ...(ca === undefined ? {} : { ca }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`the server answered ${response.statusCode}`));
        });
      },
    );
    sent.on('error', (error) => {
      const isLate = error.name === 'TimeoutError' || error.name === 'AbortError';
      reject(
        new Error(
          `failed to call webhook: Post "${url}": ${isLate ? 'context deadline exceeded' : error.message}`,
        ),
      );
    });
    sent.end(body);
  });
}
