import type { Rectangle } from './rectangle.ts';

export type ArrowKey = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

/** The nearest box in the direction of the key, preferring those straight ahead; the same if there is none. */
export function arrowStep<Id>(
  boxes: Iterable<readonly [Id, Rectangle]>,
  from: Rectangle,
  key: ArrowKey,
): Id | undefined {
  let best: Id | undefined;
  let shortest = Number.POSITIVE_INFINITY;
  for (const [id, box] of boxes) {
    const { ahead, aside } = offset(from, box, key);
    const distance = ahead + 2.5 * aside;
    if (ahead > 0.5 && distance < shortest) {
      best = id;
      shortest = distance;
    }
  }
  return best;
}

function offset(from: Rectangle, to: Rectangle, key: ArrowKey): { ahead: number; aside: number } {
  const dx = to.x + to.width / 2 - from.x - from.width / 2;
  const dy = to.y + to.height / 2 - from.y - from.height / 2;
  if (key === 'ArrowLeft') return { ahead: -dx, aside: Math.abs(dy) };
  if (key === 'ArrowRight') return { ahead: dx, aside: Math.abs(dy) };
  return { ahead: key === 'ArrowUp' ? -dy : dy, aside: Math.abs(dx) };
}
