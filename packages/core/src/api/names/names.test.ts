import { describe, expect, it } from 'vitest';
import { qualifiedNameProblems } from '../../values/index.ts';
import {
  annotationKeys,
  type CounterDefinition,
  capacityBufferConditions,
  controllerNames,
  disruptionMetrics,
  ephemeralTaints,
  events,
  exponentialBuckets,
  fullMetricLabel,
  labelAliases,
  labelKeys,
  leaderElectionMetrics,
  type MetricDefinition,
  metricLabelValue,
  nodeClaimConditions,
  nodeClaimMetrics,
  nodeMetrics,
  nodeOverlayConditions,
  nodePoolConditions,
  nodePoolMetrics,
  nodeStateMetrics,
  operatorMetrics,
  podMetrics,
  processMetrics,
  runtimeMetrics,
  schedulerMetrics,
  sharedStatusConditionMetrics,
  shortMetricLabel,
  statusConditionMetrics,
  terminationFinalizer,
  wellKnownLabels,
} from './index.ts';

const camelCase = /^[A-Z][A-Za-z0-9]*$/;
const metricName = /^[a-z][a-z0-9_]*$/;

const kinds = ['nodeclaim', 'nodepool', 'node', 'capacitybuffer'];
const metrics: readonly MetricDefinition[] = [
  disruptionMetrics,
  nodeClaimMetrics,
  nodeMetrics,
  nodeStateMetrics(wellKnownLabels),
  nodePoolMetrics,
  leaderElectionMetrics,
  operatorMetrics,
  podMetrics,
  processMetrics,
  runtimeMetrics,
  schedulerMetrics,
  sharedStatusConditionMetrics,
  ...kinds.map((kind) => statusConditionMetrics(kind)),
].flatMap((group) => Object.values<MetricDefinition>({ ...group }));

function expectUnique(names: readonly string[]): void {
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
}

describe('label, annotation and taint keys', () => {
  const keys = [
    ...Object.values(labelKeys),
    ...Object.values(annotationKeys),
    ...labelAliases.keys(),
    ...ephemeralTaints.map(({ key }) => key),
    terminationFinalizer,
  ];

  it('are qualified names', () => {
    for (const key of keys) expect(qualifiedNameProblems(key), key).toEqual([]);
  });

  it('are declared once', () => {
    expectUnique(Object.values(labelKeys));
    expectUnique(Object.values(annotationKeys));
  });
});

describe('condition types', () => {
  it.each([
    ['NodePool', nodePoolConditions],
    ['NodeClaim', nodeClaimConditions],
    ['NodeOverlay', nodeOverlayConditions],
    ['CapacityBuffer', capacityBufferConditions],
  ])('of %s are unique CamelCase words', (_, types) => {
    const names: readonly string[] = Object.values(types);
    expectUnique(names);
    for (const name of names) expect(name).toMatch(camelCase);
  });
});

describe('events', () => {
  it('have a CamelCase reason and the kinds they are published on', () => {
    for (const { reason, objects } of Object.values(events)) {
      expect(reason).toMatch(camelCase);
      expect(objects.length).toBeGreaterThan(0);
    }
  });

  it('are declared once for each kind of object', () => {
    expectUnique(
      Object.values(events).flatMap(({ reason, objects }) => objects.map((kind) => `${reason} ${kind}`)),
    );
  });

  it('are deduplicated by at least the object', () => {
    for (const { dedupeKey } of Object.values(events)) expect(['uid', 'name']).toContain(dedupeKey[0]);
  });

  it('keep the windows and limits of Karpenter', () => {
    expect(events.nominated.rateLimit).toEqual({ perSecond: 5, burst: 10 });
    expect(events.failedScheduling.dedupeWindow).toBe(300_000);
    expect(events.unconsolidatable.dedupeWindow).toBe(900_000);
    expect(events.evicted.dedupeWindow).toBe(120_000);
    expect(events.noCompatibleInstanceTypes.dedupeWindow).toBe(60_000);
    expect(events.nodePoolDisruptionBlocked.dedupeWindow).toBe(60_000);
    expect(events.nodeRepairBlocked.dedupeWindow).toBe(900_000);
  });

  it('are deduplicated by object name for terminating nodes, and otherwise by uid and subject', () => {
    const byName = Object.values(events).filter(({ dedupeKey }) => dedupeKey[0] === 'name');
    expect(byName.map(({ reason }) => reason).toSorted()).toEqual([
      'AwaitingVolumeDetachment',
      'Disrupted',
      'Evicted',
      'FailedDraining',
      'TerminationGracePeriodExpiring',
    ]);
    expect(events.disruptionBlocked.dedupeKey).toEqual(['uid', 'message']);
    expect(events.disruptionLaunching.dedupeKey).toEqual(['uid', 'disruption-reason']);
    expect(events.disruptionTerminating.dedupeKey).toEqual(['uid', 'disruption-reason']);
    expect(events.nodePoolDisruptionBlocked.dedupeKey).toEqual(['uid', 'disruption-reason']);
    expect(events.consolidationCandidate.dedupeKey).toEqual(['uid', 'command']);
    expect(events.consolidationRejected.dedupeKey).toEqual(['uid', 'command', 'disruption-reason']);
  });
});

describe('controller names', () => {
  it('are unique words joined by dots', () => {
    expectUnique(Object.values(controllerNames));
    for (const name of Object.values(controllerNames)) expect(name).toMatch(/^[a-z-]+(\.[a-z-]+)*$/);
  });
});

describe('metrics', () => {
  it('have unique names of Prometheus’ pattern', () => {
    expectUnique(metrics.map(({ name }) => name));
    for (const { name } of metrics) expect(name).toMatch(metricName);
  });

  it('have one sentence of help each', () => {
    for (const { name, help } of metrics) expect(help, name).toMatch(/^[A-Z].{10,}\.$/);
  });

  it('have unique labels of Prometheus’ pattern', () => {
    for (const { labels } of metrics) {
      expectUnique(labels);
      for (const label of labels) expect(label).toMatch(/^[a-z][a-z0-9_]*$/);
    }
  });

  it('end in _total exactly when they are counters, except for one historical gauge', () => {
    const odd = metrics.filter(({ kind, name }) => (kind === 'counter') !== name.endsWith('_total'));
    expect(odd.map(({ name }) => name)).toEqual(['karpenter_nodepools_cost_total']);
  });

  it('have ascending buckets', () => {
    for (const metric of metrics) {
      if (metric.kind === 'histogram')
        expect(metric.buckets).toEqual(metric.buckets.toSorted((a, b) => a - b));
    }
  });

  it('have their labels in their types', () => {
    const created: CounterDefinition<'reason' | 'nodepool' | 'min_values_relaxed'> = nodeClaimMetrics.created;
    expect(created.labels).toEqual(['reason', 'nodepool', 'min_values_relaxed']);
  });

  it('have labels of the objects they describe', () => {
    const { count } = statusConditionMetrics('nodeclaim', [
      'karpenter.k8s.aws/ec2nodeclass',
      'karpenter.sh/nodepool',
    ]);
    expect(count.name).toBe('operator_nodeclaim_status_condition_count');
    expect(count.labels).toEqual([
      'namespace',
      'name',
      'type',
      'status',
      'reason',
      'karpenter_k8s_aws_ec2nodeclass',
      'karpenter_sh_nodepool',
    ]);
  });

  it('label nodes by the last part of their well-known labels', () => {
    expect(nodeStateMetrics(wellKnownLabels).allocatable.labels).toEqual([
      'nodepool',
      'capacity_type',
      'zone',
      'region',
      'instance_type',
      'arch',
      'os',
      'windows_build',
      'node_name',
      'phase',
      'managed',
      'resource_type',
    ]);
  });

  it('spell labels and values in one way', () => {
    expect(shortMetricLabel('karpenter.k8s.aws/instance-gpu-name')).toBe('instance_gpu_name');
    expect(fullMetricLabel('karpenter.sh/nodepool')).toBe('karpenter_sh_nodepool');
    expect(metricLabelValue('WhenEmptyOrUnderutilized')).toBe('when_empty_or_underutilized');
  });

  it('have exponential buckets where Karpenter has them', () => {
    expect(exponentialBuckets({ start: 1, factor: 2, count: 4 })).toEqual([1, 2, 4, 8]);
    expect(nodeClaimMetrics.terminationDuration.buckets.at(-1)).toBe(2048);
    expect(nodeClaimMetrics.instanceTerminationDuration.buckets.at(-1)).toBe(1024);
  });
});
