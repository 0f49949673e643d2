import { consolidationTuning, minutes, type NodePool } from '../api/index.ts';
import type { Candidate } from './candidate.ts';
import { type Command, isPlanned } from './command.ts';
import { movedPods } from './moved-pods.ts';
import { durationOption, numberOption, poolOptions } from './pool-options.ts';

/**
 * Assumed time from launching a replacement until the replaced node is drained. It is not known in advance,
 * so this is a generous guess.
 */
const overlap = minutes(5);

/**
 * Whether a replacement saves enough not to be churn: a share of what the nodes cost, and something for each
 * pod that moves.
 */
export function meetsMinimumSavings(move: {
  readonly candidates: readonly Pick<Candidate, 'price' | 'movable'>[];
  readonly savings: number;
}): boolean {
  const { minSavingsShare, pricePerMovedPod } = consolidationTuning;
  const price = move.candidates.reduce((sum, candidate) => sum + candidate.price, 0);
  return move.savings >= Math.max(minSavingsShare * price, pricePerMovedPod * movedPods(move));
}

/**
 * Whether a replacement meets the savings options of every NodePool that loses nodes, and, if a node has just
 * started, the minimum savings. Deletions always do.
 */
export function isWorthwhile(command: Command): boolean {
  if (command.replacements.length === 0) return true;
  const isYoung = command.candidates.some(({ age }) => age < consolidationTuning.youngNodeAge);
  if (isYoung && !meetsMinimumSavings(command)) return false;
  const pools = new Set(command.candidates.map(({ nodePool }) => nodePool));
  return [...pools].every((nodePool) => meetsThresholds(command, nodePool));
}

function meetsThresholds({ savings, candidates, replacements }: Command, nodePool: NodePool): boolean {
  const currentPrice = candidates.reduce((sum, { price }) => sum + price, 0);
  const newPrice = replacements.filter(isPlanned).reduce((sum, { price }) => sum + price, 0);
  const payback = savings > 0 ? (overlap * newPrice) / savings : Number.POSITIVE_INFINITY;
  return (
    savings >= (numberOption(nodePool, poolOptions.minSavings) ?? 0) &&
    savings >= ((numberOption(nodePool, poolOptions.minSavingsPercent) ?? 0) / 100) * currentPrice &&
    payback <= (durationOption(nodePool, poolOptions.maxPayback) ?? Number.POSITIVE_INFINITY)
  );
}
