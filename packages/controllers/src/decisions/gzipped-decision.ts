import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Decision, type ReplayMaterial, savedDecisionPieces } from '@karpenter/core/decisions';
import { yieldToEventLoop } from '@karpenter/kube/yielding';

/** Characters that take less than a millisecond to write. */
const pieceLength = 64 * 1024;

/**
 * The file of a decision, compressed. The text of a thousand nodes has 30 million characters, so it is written in
 * pieces with other work between them, and only the compressed bytes are held.
 */
export async function gzippedDecision(decision: Decision, material: ReplayMaterial): Promise<Uint8Array> {
  const gzip = createGzip();
  const [compressed] = await Promise.all([
    buffer(gzip),
    pipeline(Readable.from(slowPieces(savedDecisionPieces(decision, material))), gzip),
  ]);
  return compressed;
}

async function* slowPieces(texts: Iterable<string>): AsyncGenerator<string, void> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
    await yieldToEventLoop();
  }
  yield piece;
}
