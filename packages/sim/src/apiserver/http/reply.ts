import type { IncomingHttpHeaders } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { JsonObject } from '@karpenter/core/schema';
import { statusErrorOf } from '../status/status-error.ts';
import type { RequestWork } from '../writes/request-work.ts';
import { beginningOf, partsInTurns } from './body-parts.ts';

export type Incoming = Http2ServerRequest;
export type Outgoing = Http2ServerResponse;

const compress = promisify(gzip);

/** kube-apiserver compresses bodies from the same size; smaller ones cost more time than they save. */
const worthCompressing = 128 * 1024;

export interface Reply {
  readonly code: number;
  /**
   * The encoded body, JSON unless `contentType` says otherwise. A list has its items as parts, which are encoded
   * while it is sent.
   */
  readonly body: string | Iterable<string>;
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

export interface AnsweredRequest {
  readonly request: Incoming;
  readonly response: Outgoing;
  readonly warnings: readonly string[];
  readonly work: RequestWork;
}

export async function send(answer: AnsweredRequest, reply: Reply): Promise<void> {
  if (typeof reply.body === 'string') return sendWhole(answer, reply, reply.body);
  const parts = reply.body[Symbol.iterator]();
  const { text, isWhole } = await beginningOf(parts, answer.work);
  if (isWhole) return sendWhole(answer, reply, text);
  return sendInParts(answer, reply, prepended(text, partsInTurns(parts, answer.work)));
}

async function sendWhole(answer: AnsweredRequest, reply: Reply, text: string): Promise<void> {
  const { request, response } = answer;
  const size = Buffer.byteLength(text);
  const compressed = size > worthCompressing && acceptsGzip(request.headers);
  // Level 1, the fastest: clients connect over loopback, where bandwidth costs little.
  const body = compressed ? await compress(text, { level: 1 }) : text;
  // The client may have disconnected during compression.
  if (response.writableEnded || response.destroyed) return;
  response.writeHead(reply.code, {
    ...headersOf(answer, reply, compressed),
    'content-length': typeof body === 'string' ? size : body.length,
  });
  response.end(body);
}

/** Sends a body of unknown length in chunks, as kube-apiserver streams lists. */
async function sendInParts(
  answer: AnsweredRequest,
  reply: Reply,
  parts: AsyncIterable<string>,
): Promise<void> {
  const { request, response } = answer;
  const compressed = acceptsGzip(request.headers);
  response.writeHead(reply.code, headersOf(answer, reply, compressed));
  const readable = Readable.from(parts, { objectMode: false });
  try {
    if (compressed) await pipeline(readable, createGzip({ level: 1 }), response);
    else await pipeline(readable, response);
  } catch {
    // The client has disconnected, or sees a list that breaks off: the pipeline has destroyed the response.
  }
}

async function* prepended(first: string, others: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* others;
}

function headersOf({ warnings }: AnsweredRequest, reply: Reply, compressed: boolean) {
  return {
    'cache-control': 'no-cache, private',
    'content-type': reply.contentType ?? 'application/json',
    ...(compressed ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {}),
    ...reply.headers,
    ...warningHeader(warnings),
  };
}

function acceptsGzip(headers: IncomingHttpHeaders): boolean {
  return /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
}
