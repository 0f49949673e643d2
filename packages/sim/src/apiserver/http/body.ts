import { StatusError } from '../status/status-error.ts';
import type { Incoming } from './reply.ts';

/** The real server's limit. */
const largestBody = 3 * 1024 * 1024;

export async function readBody(request: Incoming): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.length;
    if (size > largestBody) {
      throw new StatusError(
        413,
        'RequestEntityTooLarge',
        `Request entity too large: limit is ${largestBody}`,
      );
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, size);
}
