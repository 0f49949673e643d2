import type { ServerResponse } from 'node:http';
import { systemClock } from '@karpenter/kube/runtime';
import { YieldBudget } from '@karpenter/kube/yielding';

/** In characters: some hundred lines, which take less than a millisecond. A large cluster has thousands of pieces. */
const pieceLength = 64 * 1024;

type SlowResponse = Pick<ServerResponse, 'write' | 'end' | 'on' | 'off' | 'destroyed'>;

/** Shared by all responses of the process. */
const shared = new YieldBudget(systemClock);

/**
 * Writes a response in pieces: generates the next only after the reader has taken the one before, and yields to the
 * event loop in between. Concurrent responses share one budget, so that together they delay other work no longer than
 * one of them (ADR 0067).
 */
export async function writeWithBackpressure(
  response: SlowResponse,
  lines: Iterable<string>,
  budget = shared,
): Promise<void> {
  const remaining = lines[Symbol.iterator]();
  for (;;) {
    const { isLast, taken } = await budget.run(() => writePiece(response, remaining));
    if (isLast) return;
    await taken;
    if (response.destroyed) return;
  }
}

interface Piece {
  readonly isLast: boolean;
  /** Listens from the write on: the budget may yield before it is awaited, and `drain` would be missed. */
  readonly taken: Promise<void> | undefined;
}

function writePiece(response: SlowResponse, lines: Iterator<string>): Piece {
  const piece: string[] = [];
  for (let length = 0; length < pieceLength; ) {
    const { done, value } = lines.next();
    if (done) {
      response.end(piece.join(''));
      return { isLast: true, taken: undefined };
    }
    piece.push(value);
    length += value.length;
  }
  return { isLast: false, taken: response.write(piece.join('')) ? undefined : drained(response) };
}

/** Resolves when the reader has taken what was written, or has disconnected. */
function drained(response: SlowResponse): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      response.off('drain', finish).off('close', finish);
      resolve();
    };
    response.on('drain', finish).on('close', finish);
  });
}
