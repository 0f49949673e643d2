import { StatusError } from '../status/status-error.ts';
import type { Incoming } from './reply.ts';

/** The limit of kube-apiserver. */
const maxBodyBytes = 3 * 1024 * 1024;

/**
 * Reads the body, and rejects with 413 as soon as it exceeds the limit. The rest is read and dropped: a
 * client that is still sending would otherwise see a reset connection instead of the reply.
 */
export function readBody(request: Incoming): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
      else reject(tooLarge());
    });
    request.once('end', () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks));
    });
    request.once('error', reject);
    // A client that disconnects emits neither `end` nor always `error`. After `end` this has no effect.
    request.once('close', () => reject(new Error('the request broke off')));
  });
}

function tooLarge(): StatusError {
  return new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${maxBodyBytes}`);
}
