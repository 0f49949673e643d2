import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Decision, type ReplayMaterial, savedDecisionPieces } from '@karpenter/core/decisions';
import { yieldToEventLoop } from '@karpenter/kube/yielding';

/** In characters: generating this many takes less than a millisecond. */
const pieceLength = 64 * 1024;

/**
 * The file of a decision, compressed. The text of a thousand nodes has 30 million characters, so it is generated in
 * pieces with yields between them, and only the compressed bytes are kept in memory.
 */
export async function gzippedDecision(decision: Decision, material: ReplayMaterial): Promise<Uint8Array> {
  const gzip = createGzip();
  const [compressed] = await Promise.all([
    buffer(gzip),
    pipeline(Readable.from(piecesWithYields(savedDecisionPieces(decision, material))), gzip),
  ]);
  return compressed;
}

async function* piecesWithYields(texts: Iterable<string>): AsyncGenerator<string, void> {
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
