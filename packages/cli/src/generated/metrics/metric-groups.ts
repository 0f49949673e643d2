import { awsLabelPolicy, awsMetrics, awsSdkMetrics, ec2NodeClassStatusMetrics } from '@karpenter/aws';
import {
  disruptionMetrics,
  labelKeys,
  leaderElectionMetrics,
  type MetricDefinition,
  nodeClaimMetrics,
  nodeMetrics,
  nodePoolMetrics,
  nodeStateMetrics,
  operatorMetrics,
  podMetrics,
  processMetrics,
  runtimeMetrics,
  schedulerMetrics,
  sharedStatusConditionMetrics,
  statusConditionMetrics,
} from '@karpenter/core/api';

export interface MetricGroup {
  readonly title: string;
  readonly metrics: readonly MetricDefinition[];
}

const ofClaims = ['karpenter.k8s.aws/ec2nodeclass', labelKeys.nodePool];

/** Every metric that the controllers report, by what it is about. A test compares them with those of a run. */
export const metricGroups: readonly MetricGroup[] = [
  group('Pods', podMetrics),
  group('Planning', schedulerMetrics),
  group('NodeClaims', nodeClaimMetrics),
  group('Nodes', nodeMetrics, nodeStateMetrics(awsLabelPolicy.wellKnown)),
  group('NodePools', nodePoolMetrics),
  group('Disruption', disruptionMetrics),
  group('AWS', awsMetrics, awsSdkMetrics),
  group(
    'Status conditions',
    statusConditionMetrics('NodeClaim', ofClaims),
    statusConditionMetrics('NodePool'),
    statusConditionMetrics('Node', [...ofClaims, labelKeys.initialized]),
    statusConditionMetrics('CapacityBuffer'),
    ec2NodeClassStatusMetrics,
    sharedStatusConditionMetrics,
  ),
  group('Controllers', operatorMetrics, runtimeMetrics, leaderElectionMetrics),
  group('Process', processMetrics),
];

function group(title: string, ...sets: readonly object[]): MetricGroup {
  return { title, metrics: sets.flatMap((set) => Object.values<MetricDefinition>({ ...set })) };
}
