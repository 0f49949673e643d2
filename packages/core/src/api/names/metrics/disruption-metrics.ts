import { durationBuckets } from './buckets.ts';
import { counter, gauge, histogram } from './metric-definition.ts';

const move = ['decision', 'nodepool', 'policy'] as const;
const decision = ['decision', 'reason', 'consolidation_type'] as const;

export const disruptionMetrics = {
  evaluationDuration: histogram(
    'karpenter_voluntary_disruption_decision_evaluation_duration_seconds',
    'Seconds that the search for nodes to disrupt took, by method.',
    { buckets: durationBuckets, labels: ['reason', 'consolidation_type'] },
  ),
  decisions: counter(
    'karpenter_voluntary_disruption_decisions_total',
    'Voluntary disruption decisions: to delete or to replace nodes.',
    decision,
  ),
  decisionsByNodePool: counter(
    'karpenter_voluntary_disruption_decisions_by_nodepool_total',
    'The same decisions, counted once for each NodePool that loses nodes.',
    [...decision, 'nodepool'],
  ),
  eligibleNodes: gauge(
    'karpenter_voluntary_disruption_eligible_nodes',
    'Nodes that are eligible for voluntary disruption, by reason.',
    ['reason'],
  ),
  evaluationCoverage: gauge(
    'karpenter_voluntary_disruption_evaluation_coverage',
    'Share of the nodes eligible for consolidation that the last search evaluated; nodes that budgets protect or that pods move to are skipped.',
    [],
  ),
  consolidationTimeouts: counter(
    'karpenter_voluntary_disruption_consolidation_timeouts_total',
    'Searches for a consolidation that timed out.',
    ['consolidation_type'],
  ),
  failedValidations: counter(
    'karpenter_voluntary_disruption_failed_validations_total',
    'Number of candidates that were selected for disruption but failed validation. Labeled by consolidation type.',
    ['consolidation_type'],
  ),
  queueFailures: counter(
    'karpenter_voluntary_disruption_queue_failures_total',
    'Replacement NodeClaims that were not ready when their command was abandoned.',
    decision,
  ),
  consolidationScore: histogram(
    'karpenter_consolidation_score',
    'Ratio of savings to disruption cost of each move that the Balanced policy evaluated.',
    { buckets: [0.1, 0.25, 0.33, 0.5, 1, 2, 5, 10], labels: move },
  ),
  consolidationMoves: counter(
    'karpenter_consolidation_moves_total',
    'Consolidation moves that were evaluated, by decision.',
    move,
  ),
} as const;
