import {
  BudgetLedger,
  CandidateEvaluator,
  ClusterSimulation,
  type ConsolidationSearch,
  consolidate,
  findCandidates,
  gatedCandidates,
  PriceBook,
  poolBudgets,
  poolTotals,
} from '@karpenter/core/disruption';
import type { PlanOptions } from '@karpenter/core/scheduling';
import type { ClusterSnapshot } from '@karpenter/core/state';
import { instanceType, planOptions } from '../snapshots/index.ts';
import { type ClusterParts, disruptableCluster, drained } from './disruptable-cluster.ts';

export interface ConsolidationOptions {
  readonly allowsSpotToSpot?: boolean;
  readonly reservationIdLabel?: string;
  readonly minValuesPolicy?: PlanOptions['minValuesPolicy'];
}

/** The inputs of a consolidation search and of its validation. */
export function consolidationSituation(
  snapshot: ClusterSnapshot,
  {
    allowsSpotToSpot = false,
    reservationIdLabel = 'reservation',
    minValuesPolicy = 'Strict',
  }: ConsolidationOptions = {},
) {
  // As disruption plans: without a reservation, other capacity is acceptable.
  const plan = {
    ...planOptions,
    minValuesPolicy,
    reservedCapacity: { idLabel: reservationIdLabel, mode: 'fallback' as const },
  };
  const context = { snapshot, queued: new Set<string>() };
  return {
    ...context,
    evaluator: new CandidateEvaluator(context),
    decision: { prices: new PriceBook(snapshot.instanceTypes, plan), allowsSpotToSpot },
    budgets: poolBudgets(snapshot, 'Underutilized'),
    simulate: () => ClusterSimulation.of(snapshot, { plan }),
  };
}

const twoSizes = [
  instanceType('medium', { cpu: '4', memory: '16Gi', price: 0.2 }),
  instanceType('large', { cpu: '8', memory: '64Gi', price: 0.4 }),
];

/** The same for a cluster that by default can get a medium and a large instance type. */
export function situationOf(parts: Partial<ClusterParts>) {
  return consolidationSituation(disruptableCluster({ managedNodes: [], types: twoSizes, ...parts }));
}

/** The result of the search, with what it reported about nodes that were never candidates. */
export function searchedConsolidations(
  situation: ReturnType<typeof consolidationSituation>,
): ConsolidationSearch {
  const { snapshot, evaluator, decision, budgets, simulate } = situation;
  const { eligible, unconsolidatable } = gatedCandidates(findCandidates(situation, 'graceful').candidates);
  const found = drained(
    consolidate({
      candidates: eligible,
      ledger: new BudgetLedger(budgets),
      simulate,
      decision,
      totals: poolTotals(snapshot, evaluator),
    }),
  );
  return { ...found, unconsolidatable: [...unconsolidatable, ...found.unconsolidatable] };
}
