import { StatusError } from '../status/status-error.ts';
import type { Incoming } from './reply.ts';

/** The real server's limit. */
const largestBody = 3 * 1024 * 1024;

/** A body that is too large is refused while it comes; the rest is let through unread, so the refusal arrives. */
export async function readBody(request: Incoming): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.length;
    if (size > largestBody) break;
    chunks.push(bytes);
  }
  if (size <= largestBody) return Buffer.concat(chunks, size);
  request.resume();
  throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${largestBody}`);
}
