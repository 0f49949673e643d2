import type { Readable } from 'node:stream';

/** The whole of a body. Node's own way there leads through a `Blob`, which costs more than the request. */
export function bodyBytes(body: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const brokeOff = () => {
      if (!body.readableEnded) reject(body.errored ?? new Error('the connection ended within the answer'));
    };
    if (body.destroyed) return brokeOff();
    body.on('data', (chunk: Buffer) => chunks.push(chunk));
    body.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    body.once('error', reject);
    body.once('close', brokeOff);
  });
}
