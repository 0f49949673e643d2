import type { IncomingHttpHeaders } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { JsonObject } from '@karpenter/core/schema';
import { statusErrorOf } from '../status/status-error.ts';

export type Incoming = Http2ServerRequest;
export type Outgoing = Http2ServerResponse;

const compress = promisify(gzip);

/** kube-apiserver compresses bodies from the same size; smaller ones cost more time than they save. */
const worthCompressing = 128 * 1024;

export interface Reply {
  readonly code: number;
  /** The encoded body, JSON unless `contentType` says otherwise. */
  readonly body: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function jsonReply(code: number, object: JsonObject): Reply {
  return { code, body: JSON.stringify(object) };
}

/** Go's plain-text reply for paths outside of the API, which is not a Status. */
export const pageNotFound: Reply = {
  code: 404,
  body: '404 page not found\n',
  contentType: 'text/plain; charset=utf-8',
};

/** The Status of an error, with a Retry-After header when it has a delay. */
export function errorReply(error: unknown): Reply {
  const status = statusErrorOf(error);
  const retryAfter = status.details?.retryAfterSeconds;
  return {
    ...jsonReply(status.code, status.toStatus()),
    ...(retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } }),
  };
}

const warningsLimit = 4_096;
const warningLimit = 256;

/** `Warning` headers as RFC 7234 defines them, with code 299 as kube-apiserver uses it. */
function warningHeader(texts: readonly string[]): Readonly<Record<string, string[]>> {
  if (texts.length === 0) return {};
  return { warning: shortWarnings(texts).map((text) => `299 - "${headerText(text)}"`) };
}

/**
 * As kube-apiserver limits them, since clients refuse longer headers: if all together exceed 4,096 characters,
 * each is cut to 256 and the last ones are left out.
 */
function shortWarnings(texts: readonly string[]): readonly string[] {
  const distinct = [...new Set(texts)];
  if (distinct.reduce((sum, { length }) => sum + length, 0) <= warningsLimit) return distinct;
  const short: string[] = [];
  let left = warningsLimit;
  for (const text of distinct) {
    const cut = text.slice(0, warningLimit);
    left -= cut.length;
    if (left < 0) break;
    short.push(cut);
  }
  return short;
}

/**
 * Escapes a text for a header. Warnings quote field names of the client, which may contain anything; headers
 * allow no control characters and carry UTF-8 as Latin-1 bytes.
 */
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
  // Level 1, the fastest: clients connect over loopback, where bandwidth costs little.
  const body = compressed ? await compress(reply.body, { level: 1 }) : reply.body;
  // The client may have disconnected during compression.
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
