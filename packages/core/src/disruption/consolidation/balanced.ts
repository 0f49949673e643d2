import { consolidationTuning } from '../../api/index.ts';
import type { ClusterSnapshot } from '../../state/index.ts';
import { rescheduleCost } from '../../state/index.ts';
import { byNodePool } from '../budgets/by-node-pool.ts';
import { type Candidate, type CandidateEvaluator, totalPrice } from '../candidates/candidate.ts';

/** Summed price and reschedule cost of all nodes of a NodePool. */
export interface PoolCostTotals {
  readonly price: number;
  readonly disruption: number;
}

/**
 * How a NodePool with consolidationPolicy Balanced weighs the savings of a command against its disruption.
 */
export interface MoveScore {
  readonly nodePool: string;
  readonly policy: string;
  readonly isApproved: boolean;
  /**
   * Share of the pool's cost saved, divided by the share of its reschedule cost; only set for policy
   * Balanced.
   */
  readonly score?: number;
  readonly savingsShare: number;
  readonly disruptionShare: number;
}

/** The least score that is approved; k is Karpenter's. */
const threshold = 1 / consolidationTuning.balancedK;

/** Sums over all nodes of a pool, candidates or not. */
export function poolTotals(
  { nodeStates }: ClusterSnapshot,
  evaluator: CandidateEvaluator,
): ReadonlyMap<string, PoolCostTotals> {
  const totals = new Map<string, PoolCostTotals>();
  for (const state of nodeStates) {
    const name = state.view.nodePool;
    if (name === undefined || state.nodeClaim === undefined) continue;
    const { price, disruption } = totals.get(name) ?? { price: 0, disruption: 0 };
    totals.set(name, {
      price: price + evaluator.priceOf(state),
      disruption: disruption + rescheduleCost(state.pods),
    });
  }
  return totals;
}

/**
 * Scores a command for each NodePool that loses nodes, as Karpenter does. Savings are split among pools in proportion
 * to the price of the nodes each loses. Pools with another policy approve every command.
 */
export function scoreMove(
  candidates: readonly Candidate[],
  savings: number,
  totals: ReadonlyMap<string, PoolCostTotals>,
): readonly MoveScore[] {
  const candidatesPrice = totalPrice(candidates);
  const byPool = byNodePool(candidates);
  return [...byPool].map(([nodePool, ofPool]) => {
    const policy = ofPool[0]?.nodePool.spec.disruption.consolidationPolicy ?? 'WhenEmptyOrUnderutilized';
    const price = totalPrice(ofPool);
    const disruption = ofPool.reduce((sum, { cost }) => sum + cost, 0);
    const total = totals.get(nodePool) ?? { price: 0, disruption: 0 };
    const poolSavings = candidatesPrice === 0 ? 0 : (savings * price) / candidatesPrice;
    const shares = {
      savingsShare: total.price === 0 ? 0 : poolSavings / total.price,
      disruptionShare: total.disruption === 0 ? 0 : disruption / total.disruption,
    };
    if (policy !== 'Balanced') return { nodePool, policy, isApproved: true, ...shares };
    const score = scoreOf(shares, total, savings);
    return { nodePool, policy, isApproved: score >= threshold, score, ...shares };
  });
}

function scoreOf(
  { savingsShare, disruptionShare }: Pick<MoveScore, 'savingsShare' | 'disruptionShare'>,
  total: PoolCostTotals,
  savings: number,
): number {
  // Without totals there is no share to compare; without savings no disruption is justified.
  if (total.price === 0 || total.disruption === 0 || savings <= 0) return 0;
  return disruptionShare === 0 ? Number.POSITIVE_INFINITY : savingsShare / disruptionShare;
}

/**
 * Whether not even deleting the node without replacement would be approved, so simulating it is a waste. False for
 * pools without totals, as in Karpenter: the shares are unknown.
 */
export function isNeverApproved(candidate: Candidate, totals: ReadonlyMap<string, PoolCostTotals>): boolean {
  const total = totals.get(candidate.nodePool.metadata.name);
  if (total === undefined || total.price === 0 || total.disruption === 0) return false;
  return scoreMove([candidate], candidate.price, totals).some(({ isApproved }) => !isApproved);
}

/** The message of the event `ConsolidationApproved`. */
export function approvalText({ score = 0, savingsShare, disruptionShare }: MoveScore): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)}%`;
  return `score ${score.toFixed(2)} >= threshold ${threshold.toFixed(2)} (k: ${consolidationTuning.balancedK}, savings ${percent(savingsShare)}, disruption ${percent(disruptionShare)})`;
}
