import type { IncomingMessage } from 'node:http';
import { Refusal } from '../cloud/index.ts';
import type { WireRequest } from './wire-request.ts';

/** Twice the size limit of an SQS message. */
const maxBodyBytes = 2 * 1024 * 1024;
const ownHost = /^(127\.0\.0\.1|\[::1\]|([\w-]+\.)*localhost)(:\d+)?$/i;

/** Reads the body of a request. Throws a Refusal for one that is too large or comes from a web page. */
export async function readWireRequest(request: IncomingMessage): Promise<WireRequest> {
  const body = await bodyOf(request);
  const { method = 'GET', headers, url = '/' } = request;
  refuseWebPages(headers);
  const mark = url.indexOf('?');
  return {
    method,
    path: mark < 0 ? url : url.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    headers,
    body,
  };
}

/**
 * Protects against CSRF and DNS rebinding: signatures are not verified, so any page in a browser could send a form
 * here. Browsers send the origin of the page, or another host name if the page's own name resolves to this address; no
 * SDK does either.
 */
function refuseWebPages({ host, origin, ...headers }: IncomingMessage['headers']): void {
  const isOwnHost = host === undefined || ownHost.test(host);
  if (isOwnHost && origin === undefined && headers['sec-fetch-site'] === undefined) return;
  throw new Refusal(
    'AccessDenied',
    'The simulated account answers programs on this machine, at 127.0.0.1 or localhost, and no web pages',
    { statusCode: 403 },
  );
}

/** Reads even a body that is too large to its end: a client that still sends would not see the response. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size <= maxBodyBytes) chunks.push(bytes);
  }
  if (size <= maxBodyBytes) return Buffer.concat(chunks).toString('utf8');
  throw new Refusal('RequestEntityTooLarge', `The request has more than ${maxBodyBytes} bytes`, {
    statusCode: 413,
  });
}
