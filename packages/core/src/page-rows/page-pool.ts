import { labelKeys } from '../api/index.ts';
import type { NodeRow, PoolRow } from '../cluster-view/index.ts';
import { type BudgetStatus, budgetStatuses } from '../disruption/index.ts';
import type { PageBudget, PagePool } from '../page-api/index.ts';

/** What a NodePool's budgets depend on besides the NodePool. */
interface PoolMoment {
  /** Nodes that percentages are of, from `budgetedNodes`. */
  readonly total: number;
  readonly at: number;
}

export function pagePool({ pool, ...row }: PoolRow, { total, at }: PoolMoment): PagePool {
  const { disruption } = pool.spec;
  return {
    ...row,
    budgets: budgetStatuses(pool, total, at).map(pageBudget),
    consolidationPolicy: disruption?.consolidationPolicy ?? 'WhenEmptyOrUnderutilized',
    consolidateAfter: disruption?.consolidateAfter ?? '0s',
  };
}

function pageBudget({ budget, ...status }: BudgetStatus): PageBudget {
  const { reasons = [], nodes, schedule, duration } = budget;
  return {
    reasons,
    nodes,
    ...(schedule !== undefined && { schedule }),
    ...(duration !== undefined && { duration }),
    ...status,
  };
}

/** By NodePool, the nodes that count in budgets: those of NodeClaims that are initialized. */
export function budgetedNodes(nodes: Iterable<NodeRow>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { nodePool, nodeClaim, nodeName, labels } of nodes) {
    const isInitialized = nodeName !== undefined && labels[labelKeys.initialized] === 'true';
    if (nodePool === undefined || nodeClaim === undefined || !isInitialized) continue;
    counts.set(nodePool, (counts.get(nodePool) ?? 0) + 1);
  }
  return counts;
}
