import { StatusError } from '../status/status-error.ts';
import type { Incoming } from './reply.ts';

/** The real server's limit. */
const largestBody = 3 * 1024 * 1024;

/** A body that is too large is refused while it comes; the rest is let through unread, so the refusal arrives. */
export function readBody(request: Incoming): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largestBody) chunks.push(chunk);
      else reject(tooLarge());
    });
    request.once('end', () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks));
    });
    request.once('error', reject);
    request.once('close', () => reject(new Error('the request broke off')));
  });
}

function tooLarge(): StatusError {
  return new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${largestBody}`);
}
