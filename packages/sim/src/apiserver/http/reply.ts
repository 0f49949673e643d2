import type { IncomingHttpHeaders } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { JsonObject } from '@karpenter/core/schema';
import { statusErrorOf } from '../status/status-error.ts';

export type Incoming = Http2ServerRequest;
export type Outgoing = Http2ServerResponse;

const compress = promisify(gzip);

/** Smaller bodies are not worth the time; the real server draws the same line. */
const worthCompressing = 128 * 1024;

export interface Reply {
  readonly code: number;
  /** JSON, ready to send. */
  readonly body: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function jsonReply(code: number, object: JsonObject): Reply {
  return { code, body: JSON.stringify(object) };
}

/** What a web server says where nothing is: not even the API begins there. */
export const pageNotFound: Reply = {
  code: 404,
  body: '404 page not found\n',
  contentType: 'text/plain; charset=utf-8',
};

export function errorReply(error: unknown): Reply {
  const status = statusErrorOf(error);
  const retryAfter = status.details?.retryAfterSeconds;
  return {
    ...jsonReply(status.code, status.toStatus()),
    ...(retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } }),
  };
}

/** RFC 7234 warnings, code 299, as the API server writes them. */
export function warningHeader(texts: readonly string[]): Readonly<Record<string, string[]>> {
  if (texts.length === 0) return {};
  return { warning: texts.map((text) => `299 - "${headerText(text)}"`) };
}

/** Clients may put anything into the names that they are warned of; headers are UTF-8 without control characters. */
function headerText(text: string): string {
  const quoted = text
    .replace(/[\r\n]+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .replace(/[\\"]/g, '\\$&');
  return Buffer.from(quoted, 'utf8').toString('latin1');
}

export async function send(
  request: Incoming,
  response: Outgoing,
  reply: Reply,
  warnings: readonly string[],
): Promise<void> {
  const size = Buffer.byteLength(reply.body);
  const compressed = size > worthCompressing && acceptsGzip(request.headers);
  const body = compressed ? await compress(reply.body, { level: 1 }) : reply.body;
  if (response.writableEnded || response.destroyed) return;
  response.writeHead(reply.code, {
    'cache-control': 'no-cache, private',
    'content-type': reply.contentType ?? 'application/json',
    'content-length': typeof body === 'string' ? size : body.length,
    ...(compressed ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {}),
    ...reply.headers,
    ...warningHeader(warnings),
  });
  response.end(body);
}

function acceptsGzip(headers: IncomingHttpHeaders): boolean {
  return /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
}
