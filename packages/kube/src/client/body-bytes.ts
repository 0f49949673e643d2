import type { Readable } from 'node:stream';

/**
 * Reads a whole response body. Rejects when the connection ends before the body does. Node's
 * `stream/consumers` would go through a `Blob`, which costs more than the request itself.
 */
export function bodyBytes(body: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const rejectIfTruncated = () => {
      if (!body.readableEnded) reject(body.errored ?? new Error('the connection ended within the answer'));
    };
    if (body.destroyed) return rejectIfTruncated();
    body.on('data', (chunk: Buffer) => chunks.push(chunk));
    body.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    body.once('error', reject);
    body.once('close', rejectIfTruncated);
  });
}
