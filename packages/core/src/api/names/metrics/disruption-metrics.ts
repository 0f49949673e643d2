import { durationBuckets } from './buckets.ts';
import { counter, gauge, histogram } from './metric-definition.ts';

const move = ['decision', 'nodepool', 'policy'] as const;
const decision = ['decision', 'reason', 'consolidation_type'] as const;

export const disruptionMetrics = {
  evaluationDuration: histogram(
    'karpenter_voluntary_disruption_decision_evaluation_duration_seconds',
    'Seconds that looking for something to disrupt took, by method.',
    { buckets: durationBuckets, labels: ['reason', 'consolidation_type'] },
  ),
  decisions: counter(
    'karpenter_voluntary_disruption_decisions_total',
    'Decisions to delete or replace nodes by choice.',
    decision,
  ),
  decisionsByNodePool: counter(
    'karpenter_voluntary_disruption_decisions_by_nodepool_total',
    'The same decisions, counted once for each NodePool that loses nodes.',
    [...decision, 'nodepool'],
  ),
  eligibleNodes: gauge(
    'karpenter_voluntary_disruption_eligible_nodes',
    'Nodes that could be disrupted by choice, by reason.',
    ['reason'],
  ),
  evaluationCoverage: gauge(
    'karpenter_voluntary_disruption_evaluation_coverage',
    'Share of the nodes that could be consolidated that the last search looked at; it passes over those that budgets keep or that pods are moved to.',
    [],
  ),
  consolidationTimeouts: counter(
    'karpenter_voluntary_disruption_consolidation_timeouts_total',
    'Times that looking for a consolidation ran out of time.',
    ['consolidation_type'],
  ),
  failedValidations: counter(
    'karpenter_voluntary_disruption_failed_validations_total',
    'Number of candidates that were selected for disruption but failed validation. Labeled by consolidation type.',
    ['consolidation_type'],
  ),
  queueFailures: counter(
    'karpenter_voluntary_disruption_queue_failures_total',
    'Replacements that were not ready when their decision was given up.',
    decision,
  ),
  consolidationScore: histogram(
    'karpenter_consolidation_score',
    'Savings against disturbance of each move that the Balanced policy weighed.',
    { buckets: [0.1, 0.25, 0.33, 0.5, 1, 2, 5, 10], labels: move },
  ),
  consolidationMoves: counter(
    'karpenter_consolidation_moves_total',
    'Consolidation moves that were weighed, and what was decided.',
    move,
  ),
} as const;
