import {
  controllerNames,
  type EventDefinition,
  isRestrictedLabel,
  type MetricDefinition,
  nodeStateMetrics,
  normalizeLabel,
  operatorMetrics,
} from '@karpenter/core/api';
import { qualifiedNameProblems } from '@karpenter/core/values';
import { describe, expect, it } from 'vitest';
import {
  awsAnnotationKeys,
  awsControllerNames,
  awsDriftReasons,
  awsEvents,
  awsLabelKeys,
  awsLabelPolicy,
  awsMetrics,
  awsResources,
  awsSdkMetrics,
  clusterTagKey,
  ec2NodeClassConditionSet,
  ec2NodeClassConditions,
  ec2NodeClassFinalizer,
  ec2NodeClassStatusMetrics,
  isRestrictedTag,
  selectableAwsLabels,
  selectableAwsOverlayLabels,
  tagKeys,
} from './index.ts';

const camelCase = /^[A-Z][A-Za-z0-9]*$/;

function expectUnique(names: readonly string[]): void {
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
}

describe('keys', () => {
  it('are qualified names, declared once', () => {
    for (const keys of [awsLabelKeys, awsAnnotationKeys, awsResources]) {
      const values: readonly string[] = Object.values(keys);
      expectUnique(values);
      for (const key of values) expect(qualifiedNameProblems(key), key).toEqual([]);
    }
    expect(qualifiedNameProblems(ec2NodeClassFinalizer)).toEqual([]);
    expectUnique(Object.values(tagKeys));
  });
});

describe('labels', () => {
  it('that NodePools may use are in the AWS domain', () => {
    expect(selectableAwsLabels).toHaveLength(28);
    for (const key of selectableAwsLabels) expect(key).toMatch(/^karpenter\.k8s\.aws\//);
  });

  it('that NodeOverlays may use exclude placement', () => {
    expect(selectableAwsLabels.filter((key) => !selectableAwsOverlayLabels.includes(key))).toEqual([
      'karpenter.k8s.aws/capacity-reservation-id',
      'karpenter.k8s.aws/capacity-reservation-interruptible',
      'karpenter.k8s.aws/capacity-reservation-type',
      'karpenter.k8s.aws/instance-tenancy',
      'karpenter.k8s.aws/placement-group-id',
      'karpenter.k8s.aws/placement-group-partition',
    ]);
  });

  it('of the domain are restricted unless well known', () => {
    expect(isRestrictedLabel('karpenter.k8s.aws/instance-family', awsLabelPolicy)).toBe(false);
    expect(isRestrictedLabel('topology.k8s.aws/zone-id', awsLabelPolicy)).toBe(false);
    expect(isRestrictedLabel('karpenter.k8s.aws/foo', awsLabelPolicy)).toBe(true);
    expect(isRestrictedLabel('sub.karpenter.k8s.aws/foo', awsLabelPolicy)).toBe(true);
    expect(isRestrictedLabel('karpenter.sh/initialized', awsLabelPolicy)).toBe(true);
  });

  it('of the EBS CSI driver are aliases of the zone label', () => {
    expect(normalizeLabel('topology.ebs.csi.aws.com/zone', awsLabelPolicy)).toBe(
      'topology.kubernetes.io/zone',
    );
  });
});

describe('tags', () => {
  it.each([
    'karpenter.sh/nodepool',
    'karpenter.sh/nodeclaim',
    'karpenter.k8s.aws/ec2nodeclass',
    'eks:eks-cluster-name',
    clusterTagKey('dev'),
  ])('may not be set by users: %s', (key) => {
    expect(isRestrictedTag(key)).toBe(true);
  });

  it.each(['Name', 'team', 'kubernetes.io/cluster/'])('may be set by users: %s', (key) => {
    expect(isRestrictedTag(key)).toBe(false);
  });
});

describe('conditions', () => {
  const start = { generation: 1, creationTimestamp: '2026-11-15T03:31:54Z', conditions: [] };
  const types = (gate: boolean) =>
    ec2NodeClassConditionSet({ ReservedCapacity: gate })
      .initialise(start)
      .map(({ type }) => type);

  it('include reservations only if the gate is on', () => {
    expect(types(true)).toEqual(Object.values(ec2NodeClassConditions));
    expect(types(false)).toEqual(types(true).filter((type) => type !== 'CapacityReservationsReady'));
  });
});

describe('events, drift reasons and controllers', () => {
  it('have CamelCase reasons, except two events without a reason', () => {
    const events: readonly EventDefinition[] = Object.values(awsEvents);
    expect(events.filter(({ reason }) => reason === '')).toHaveLength(2);
    for (const reason of [
      ...events.map((event) => event.reason).filter(Boolean),
      ...Object.values(awsDriftReasons),
    ]) {
      expect(reason).toMatch(camelCase);
    }
  });

  it('share no controller name with core', () => {
    expectUnique([...Object.values(awsControllerNames), ...Object.values(controllerNames)]);
  });
});

describe('metrics', () => {
  const groups: readonly Readonly<Record<string, MetricDefinition>>[] = [
    awsMetrics,
    awsSdkMetrics,
    { ...ec2NodeClassStatusMetrics },
    operatorMetrics,
  ];
  const metrics = groups.flatMap((group) => Object.values(group));

  it('have unique valid Prometheus names and a help sentence', () => {
    expectUnique(metrics.map(({ name }) => name));
    for (const { name, help } of metrics) {
      expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(help, name).toMatch(/^[A-Z].{10,}\.$/);
    }
  });

  it('can label nodes with every well-known label', () => {
    const { labels } = nodeStateMetrics(awsLabelPolicy.wellKnown).allocatable;
    expectUnique(labels);
    expect(labels).toContain('instance_gpu_name');
    expect(labels).toContain('zone_id');
  });
});
