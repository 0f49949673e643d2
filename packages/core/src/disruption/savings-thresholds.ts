import { consolidationTuning, minutes, type NodePool } from '../api/index.ts';
import type { PoolCostTotals } from './balanced.ts';
import { type Candidate, totalPrice } from './candidate.ts';
import { type Command, isPlanned, poolsOf } from './command.ts';
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
  const price = totalPrice(move.candidates);
  return move.savings >= Math.max(minSavingsShare * price, pricePerMovedPod * movedPods(move));
}

/**
 * Whether a replacement meets the savings options of every NodePool that loses nodes, and saves enough if a
 * node has just started. Deletions always do.
 */
export function isWorthwhile(command: Command, totals: ReadonlyMap<string, PoolCostTotals>): boolean {
  if (command.replacements.length === 0) return true;
  if (command.candidates.some(isYoung) && !outweighsChurn(command, totals)) return false;
  const pools = new Set(command.candidates.map(({ nodePool }) => nodePool));
  return [...pools].every((nodePool) => meetsThresholds(command, nodePool));
}

function isYoung({ age }: Candidate): boolean {
  return age < consolidationTuning.youngNodeAge;
}

/**
 * Whether a command that replaces a young node saves half of what it costs, as when spot capacity is back, or
 * a share of all that its NodePools cost. The kube-scheduler seldom fills new nodes as planned, so each
 * replacement tends to leave a slightly better one to be found a minute later; pods would move again and again
 * for cents.
 */
function outweighsChurn(command: Command, totals: ReadonlyMap<string, PoolCostTotals>): boolean {
  const pools = [...new Set(poolsOf(command))];
  const spend = pools.reduce((sum, name) => sum + (totals.get(name)?.price ?? 0), 0);
  const price = totalPrice(command.candidates);
  const { minSavingsShare, largeSavingsShare } = consolidationTuning;
  return (
    meetsMinimumSavings(command) &&
    command.savings >= Math.min(minSavingsShare * spend, largeSavingsShare * price)
  );
}

function meetsThresholds({ savings, candidates, replacements }: Command, nodePool: NodePool): boolean {
  const currentPrice = totalPrice(candidates);
  const newPrice = totalPrice(replacements.filter(isPlanned));
  const payback = savings > 0 ? (overlap * newPrice) / savings : Number.POSITIVE_INFINITY;
  return (
    savings >= (numberOption(nodePool, poolOptions.minSavings) ?? 0) &&
    savings >= ((numberOption(nodePool, poolOptions.minSavingsPercent) ?? 0) / 100) * currentPrice &&
    payback <= (durationOption(nodePool, poolOptions.maxPayback) ?? Number.POSITIVE_INFINITY)
  );
}
