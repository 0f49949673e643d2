import type { ServerResponse } from 'node:http';
import { yieldToEventLoop } from '@karpenter/kube/yielding';

/** Some hundred lines, a few milliseconds' worth: on a large cluster there are hundreds of times as many. */
const pieceLength = 256 * 1024;

/** Lets other work in after each piece, and makes the next only when the reader has taken this one. */
export async function writeSlowly(response: ServerResponse, lines: Iterable<string>): Promise<void> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < pieceLength) continue;
    if (!response.write(piece)) await drained(response);
    await yieldToEventLoop();
    if (response.destroyed) return;
    piece = '';
  }
  response.end(piece);
}

/** Or the reader is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      response.off('drain', finish).off('close', finish);
      resolve();
    };
    response.on('drain', finish).on('close', finish);
  });
}
