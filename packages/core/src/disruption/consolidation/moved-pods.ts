import { consolidationTuning } from '../../api/index.ts';
import type { Candidate } from '../candidates/candidate.ts';

interface Move {
  readonly candidates: readonly Pick<Candidate, 'movable'>[];
}

/** How many pods a command moves. */
export function movedPods({ candidates }: Move): number {
  return candidates.reduce((sum, { movable }) => sum + movable.length, 0);
}

/** Savings less a price for each pod that moves, so that of equal savings the one with fewer moves is taken. */
export function netSavings(move: Move & { readonly savings: number }): number {
  return move.savings - movedPods(move) * consolidationTuning.pricePerMovedPod;
}
