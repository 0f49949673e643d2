import type { ServerResponse } from 'node:http';
import { systemClock } from '@karpenter/kube/runtime';
import { YieldBudget } from '@karpenter/kube/yielding';

/** Some hundred lines, less than a millisecond's worth: on a large cluster there are thousands of times as many. */
const pieceLength = 64 * 1024;

type SlowResponse = Pick<ServerResponse, 'write' | 'end' | 'on' | 'off' | 'destroyed'>;

/** Of all responses of the process. */
const shared = new YieldBudget(systemClock);

/**
 * Makes a response piece by piece, and the next only when the reader has taken the one before. Responses that are
 * under way at the same time share the budget, so that several slow readers hold up other work no longer than one.
 */
export async function writeSlowly(
  response: SlowResponse,
  lines: Iterable<string>,
  budget = shared,
): Promise<void> {
  const left = lines[Symbol.iterator]();
  for (;;) {
    const { isLast, taken } = await budget.run(() => writePiece(response, left));
    if (isLast) return;
    await taken;
    if (response.destroyed) return;
  }
}

interface Piece {
  readonly isLast: boolean;
  /** Listens from the moment of the write: the budget may yield before anybody waits for it. */
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

/** Or the reader is gone. */
function drained(response: SlowResponse): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      response.off('drain', finish).off('close', finish);
      resolve();
    };
    response.on('drain', finish).on('close', finish);
  });
}
