import { type RequestOptions, request as startRequest } from 'node:https';

export interface ApiResponse {
  readonly status: number;
  /** Parsed if the reply is JSON, otherwise the text. */
  readonly body: unknown;
}

export interface ApiRequest {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
  readonly method: string;
  readonly path: string;
  /** Strings and bytes go out unchanged, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly timeoutMs?: number;
}

/** Sends one request with the token. Resolves for any status; rejects if there is no reply. */
export function apiRequest(request: ApiRequest): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const sent = startRequest(new URL(request.path, request.url), requestOptions(request), (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
        resolve({ status: response.statusCode ?? 0, body: isJson ? parseJson(text) : text });
      });
    });
    sent.on('error', reject);
    sent.end(encodeBody(request.body));
  });
}

function requestOptions({ caPem, token, method, headers, timeoutMs }: ApiRequest): RequestOptions {
  return {
    method,
    ca: caPem,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) }),
  };
}

function encodeBody(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
  return JSON.stringify(body);
}

/**
 * A watch replies with one JSON document per line, which does not parse as a whole; the text is more useful
 * than an error.
 */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
