import { consolidationTuning, minutes, type NodePool } from '../../api/index.ts';
import { type Candidate, totalPrice } from '../candidates/candidate.ts';
import { type Command, isPlanned, poolsOf } from '../commands/command.ts';
import { durationOption, numberOption, poolOptions } from '../pool-options.ts';
import type { PoolCostTotals } from './balanced.ts';
import { movedPods } from './moved-pods.ts';

/**
 * Assumed time from launching a replacement until the replaced node is drained. It is not known in advance,
 * so this is a generous guess.
 */
const overlap = minutes(5);

/**
 * Whether a replacement saves enough not to be churn: a share of what the nodes cost, and something for each pod that
 * moves. It applies to regroupings and to replacements of young nodes only; for others see `isWorthwhile`.
 */
export function meetsMinimumSavings(move: {
  readonly candidates: readonly Pick<Candidate, 'price' | 'movable'>[];
  readonly savings: number;
}): boolean {
  const { minSavingsShare, pricePerMovedPod } = consolidationTuning;
  const price = totalPrice(move.candidates);
  return move.savings >= Math.max(minSavingsShare * price, pricePerMovedPod * movedPods(move));
}

/** A command, or one that may be found, whose replacements are not known yet. */
type Move = Pick<Command, 'candidates' | 'savings'> & Partial<Pick<Command, 'replacements'>>;

/** What the savings of a command are compared with. */
export interface SavingsContext {
  readonly totals: ReadonlyMap<string, PoolCostTotals>;
  /** Whether consolidation has moved a pod of the candidate less than `youngNodeAge` ago; defaults to never. */
  readonly hasJustMoved?: (candidate: Candidate) => boolean;
}

/**
 * Whether a command saves enough for the pods that would move again and for the nodes that have just started, and meets
 * the savings options of every NodePool that loses nodes. A deletion of pods that have not just moved always does.
 */
export function isWorthwhile(command: Command, context: SavingsContext): boolean {
  if (command.replacements.length === 0) return mayMoveAgain(command, context);
  const pools = new Set(command.candidates.map(({ nodePool }) => nodePool));
  return (
    isWorthReplacing(command, context) && [...pools].every((nodePool) => meetsThresholds(command, nodePool))
  );
}

/** Whether replacing nodes for these savings is worthwhile, whatever the options of their NodePools say. */
export function isWorthReplacing(move: Move, context: SavingsContext): boolean {
  return mayMoveAgain(move, context) && (!move.candidates.some(isYoung) || outweighsChurn(move, context));
}

function mayMoveAgain(move: Move, context: SavingsContext): boolean {
  const { hasJustMoved = () => false } = context;
  return !move.candidates.some(hasJustMoved) || isLargeShare(move, context);
}

function isYoung({ age }: Candidate): boolean {
  return age < consolidationTuning.youngNodeAge;
}

/**
 * Whether a command that replaces a young node saves a large part of all that its NodePools cost, or half of the node's
 * price, as when spot capacity is available again (ADR 0058). kube-scheduler seldom fills new nodes as planned, so each
 * replacement tends to leave a slightly better one to be found a minute later, and pods would move again and again for
 * cents. So a young node is split only if that also saves a share of what its NodePools cost.
 */
function outweighsChurn(move: Move, context: SavingsContext): boolean {
  if (!meetsMinimumSavings(move)) return false;
  if (isLargeShare(move, context)) return true;
  const { splitSpendShare } = consolidationTuning;
  return savesHalf(move) && (!isSplit(move) || savesOfSpend(splitSpendShare, move, context));
}

function savesHalf({ candidates, savings }: Move): boolean {
  return savings >= consolidationTuning.largeSavingsShare * totalPrice(candidates);
}

function isSplit({ candidates, replacements = [] }: Move): boolean {
  return replacements.length > candidates.length;
}

/** Whether a command saves a large part of what its NodePools cost. */
function isLargeShare(move: Move, context: SavingsContext): boolean {
  return savesOfSpend(consolidationTuning.largeSpendShare, move, context);
}

/** Whether a command saves at least this share of what its NodePools cost. */
function savesOfSpend(share: number, move: Move, { totals }: SavingsContext): boolean {
  const pools = [...new Set(poolsOf(move))];
  const spend = pools.reduce((sum, name) => sum + (totals.get(name)?.price ?? 0), 0);
  return move.savings >= share * spend;
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
