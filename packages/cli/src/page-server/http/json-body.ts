import type { IncomingMessage } from 'node:http';
import { HttpRefusal } from './http-refusal.ts';

/**
 * Reads a body of JSON. The content type keeps forms of other sites out: a browser sends theirs without asking first,
 * but not this one.
 */
export async function jsonBody(request: IncomingMessage, mostBytes: number): Promise<unknown> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!/^application\/json\s*(;|$)/i.test(type) || encoding !== 'identity')
    throw new HttpRefusal(415, 'the body has to be plain JSON; send it as application/json');
  const text = await bodyText(request, mostBytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpRefusal(400, 'the body is not JSON; send an object as docs/page.md describes it');
  }
}

async function bodyText(request: IncomingMessage, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = Number(request.headers['content-length'] ?? 0);
  if (bytes > mostBytes) throw tooLarge(mostBytes);
  bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw tooLarge(mostBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(mostBytes: number): HttpRefusal {
  return new HttpRefusal(413, `the body is too large; send ${mostBytes} bytes at most`);
}
