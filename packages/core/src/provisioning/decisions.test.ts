import { instanceType, pool } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { coreLabelPolicy } from '../api/index.ts';
import { requirementPolicy } from '../requirements/index.ts';
import {
  BatchWindow,
  equalTotals,
  exceededLimit,
  IncompatiblePoolSearch,
  listedNames,
  nodeClassObstacle,
  nodePoolErrors,
  nodePoolTotals,
  plannablePools,
  recordFromCondition,
  registrationHealth,
  withRegistration,
} from './index.ts';

const policy = requirementPolicy(coreLabelPolicy);
const condition = (type: string, status: 'True' | 'False' | 'Unknown', reason = 'R', message = '') => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

describe('a batch', () => {
  const window = () => new BatchWindow({ idle: 1000, max: 10_000 });

  it('has no end while it is empty', () => {
    expect(window().endsAt).toBeUndefined();
  });

  it('ends when no new pod has come for the idle time', () => {
    const batch = window();
    batch.add('a', 0);
    expect(batch.endsAt).toBe(1000);
    batch.add('b', 800);
    expect(batch.endsAt).toBe(1800);
  });

  it('is not extended by a pod that is already in it', () => {
    const batch = window();
    batch.add('a', 0);
    expect(batch.add('a', 900)).toBe(false);
    expect(batch.endsAt).toBe(1000);
  });

  it('is neither extended nor shortened by pods that have waited before', () => {
    const batch = window();
    batch.add('left by an earlier leader', 0, true);
    expect(batch.endsAt).toBe(0);
    batch.add('new', 200);
    batch.add('also left', 300, true);
    expect(batch.endsAt).toBe(1200);
  });

  it('ends after the maximum time even if new pods keep coming', () => {
    const batch = window();
    for (let at = 0; at < 20_000; at += 500) batch.add(`pod-${at}`, at);
    expect(batch.endsAt).toBe(10_000);
  });
});

describe('limits at creation', () => {
  it('are exceeded by more than the limit, not by exactly the limit', () => {
    const limited = pool('default', { limits: { cpu: '10', memory: '10Gi' } });
    expect(exceededLimit(limited, { cpu: '10', memory: '1Gi' })).toBeUndefined();
    expect(exceededLimit(limited, { cpu: '10', memory: '11Gi', nodes: '3' })).toEqual({
      resource: 'memory',
      limit: '10Gi',
      usage: '11Gi',
    });
  });

  it('include the number of nodes', () => {
    expect(exceededLimit(pool('default', { limits: { nodes: '2' } }), { nodes: '3' })).toMatchObject({
      resource: 'nodes',
    });
  });
});

describe('NodePools used for planning', () => {
  const ready = { conditions: [condition('Ready', 'True')] };
  const names = (pools: readonly { readonly metadata: { readonly name: string } }[]) =>
    pools.map(({ metadata }) => metadata.name);

  it('are managed, not static, not being deleted, and ready', () => {
    const pools = [
      pool('good', ready),
      pool('foreign', ready),
      pool('static', { ...ready, replicas: 1 }),
      pool('going', { ...ready, deletionTimestamp: '2026-01-01T00:00:00Z' }),
      pool('unready', { conditions: [condition('Ready', 'False')] }),
      pool('unjudged'),
    ];
    const { nodePools, notReady } = plannablePools(pools, ({ metadata }) => metadata.name !== 'foreign');
    expect(names(nodePools)).toEqual(['good']);
    expect(names(notReady)).toEqual(['unready', 'unjudged']);
  });
});

describe('a NodePool without instance types', () => {
  const types = [
    instanceType('a', { price: 1 }),
    instanceType('b', { price: 1, unavailable: ['a/on-demand', 'b/on-demand', 'c/on-demand'] }),
  ];
  const search = (
    requirements: Parameters<typeof pool>[1],
    minValuesPolicy: 'Strict' | 'BestEffort' = 'Strict',
  ) => {
    const nodePools = [pool('default', requirements)];
    const instanceTypes = new Map([['default', types]]);
    return new IncompatiblePoolSearch()
      .among({ nodePools, instanceTypes, policy, minValuesPolicy })
      .map(({ lacksVariety }) => lacksVariety);
  };
  const only = (...values: readonly string[]) => ({
    requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values }],
  });

  it('is found by its requirements', () => {
    expect(search({})).toEqual([]);
    expect(search(only('a'))).toEqual([]);
    expect(search(only('c'))).toEqual([false]);
  });

  it('is found when none of its types is available', () => {
    expect(search(only('b'))).toEqual([false]);
  });

  it('is found when minValues cannot be met, unless the policy is BestEffort', () => {
    const varied = {
      requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'Exists' as const, minValues: 2 }],
    };
    expect(search(varied)).toEqual([true]);
    expect(search(varied, 'BestEffort')).toEqual([]);
  });
});

describe('the registration health of a NodePool', () => {
  const after = (...results: readonly ('success' | 'failure')[]) =>
    registrationHealth(results.map((result) => ({ result })).reduce(withRegistration, []));

  it('is unknown before the first registration', () => {
    expect(after()).toBe('unknown');
  });

  it('is healthy after a success, and with one failure among four', () => {
    expect(after('success')).toBe('healthy');
    expect(after('failure')).toBe('healthy');
    expect(after('success', 'failure', 'success', 'success')).toBe('healthy');
  });

  it('is unhealthy from two failures among the last four', () => {
    expect(after('failure', 'failure')).toBe('unhealthy');
    expect(after('failure', 'failure', 'success', 'success')).toBe('unhealthy');
    expect(after('failure', 'failure', 'success', 'success', 'success')).toBe('healthy');
  });

  it('counts a claim once, with its latest result', () => {
    const failure = { result: 'failure', claim: 'a' } as const;
    const twice = [failure, failure].reduce(withRegistration, []);
    expect(registrationHealth(twice)).toBe('healthy');
    const late = { result: 'success', claim: 'a' } as const;
    const other = { result: 'failure', claim: 'b' } as const;
    expect(registrationHealth([failure, late, other].reduce(withRegistration, []))).toBe('healthy');
    expect(registrationHealth([failure, other].reduce(withRegistration, []))).toBe('unhealthy');
  });

  it('continues after a restart from the condition', () => {
    expect(registrationHealth(recordFromCondition('True'))).toBe('healthy');
    expect(registrationHealth(recordFromCondition('False'))).toBe('unhealthy');
    expect(registrationHealth(recordFromCondition('Unknown'))).toBe('unknown');
  });
});

describe('a NodeClass', () => {
  it('makes its pools unready while it is missing, terminating, of unknown readiness or not ready', () => {
    expect(nodeClassObstacle(undefined)).toEqual({
      reason: 'NodeClassNotFound',
      message: 'NodeClass not found on cluster',
    });
    const ready = { status: { conditions: [condition('Ready', 'True')] } };
    expect(nodeClassObstacle({ ...ready, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })).toEqual({
      reason: 'NodeClassTerminating',
      message: 'NodeClass is Terminating',
    });
    const unknown = { reason: 'NodeClassReadinessUnknown', message: 'Node Class Readiness Unknown' };
    expect(nodeClassObstacle({})).toEqual(unknown);
    expect(nodeClassObstacle({ status: { conditions: [condition('Ready', 'Unknown')] } })).toEqual(unknown);
    const notReady = { status: { conditions: [condition('Ready', 'False', 'SubnetsNotFound', 'none')] } };
    expect(nodeClassObstacle(notReady)).toEqual({ reason: 'SubnetsNotFound', message: 'none' });
    expect(nodeClassObstacle(ready)).toBeUndefined();
  });
});

describe('the totals of a NodePool', () => {
  it('contain the usual resources even without nodes', () => {
    expect(nodePoolTotals()).toEqual({
      resources: { cpu: '0', memory: '0', pods: '0', 'ephemeral-storage': '0', nodes: '0' },
      nodes: 0,
    });
  });

  it('contain the number of nodes', () => {
    const totals = nodePoolTotals({ cpu: '5', 'nvidia.com/gpu': '1', nodes: '2' });
    expect(totals).toMatchObject({ resources: { cpu: '5', 'nvidia.com/gpu': '1', nodes: '2' }, nodes: 2 });
    expect(equalTotals(totals, { resources: { ...totals.resources, cpu: '5000m' }, nodes: 2 })).toBe(true);
    expect(equalTotals(totals, { nodes: 2 })).toBe(false);
  });
});

describe('validation of a NodePool', () => {
  const flaws = (parts: Parameters<typeof pool>[1]) => nodePoolErrors(pool('default', parts), policy);

  it('accepts a valid pool', () => {
    expect(flaws({ labels: { team: 'a' }, taints: [{ key: 'gpu', effect: 'NoSchedule' }] })).toEqual([]);
  });

  it('rejects labels that are restricted, malformed or the NodePool label', () => {
    expect(flaws({ labels: { 'karpenter.sh/nodepool': 'x' } })).toEqual([
      'invalid key name "karpenter.sh/nodepool" in labels, restricted',
    ]);
    expect(flaws({ labels: { 'kubernetes.io/hostname': 'x' } })[0]).toMatch(
      /^invalid key name "kubernetes\.io\/hostname" in labels, using label kubernetes\.io\/hostname is not allowed/,
    );
    expect(flaws({ labels: { 'a b': 'x' } })[0]).toMatch(/^invalid key name "a b" in labels, "name part/);
    expect(flaws({ labels: { a: 'x y' } })[0]).toMatch(/^invalid value: x y for label\[a\], /);
  });

  it('rejects the same taint twice, across both lists', () => {
    const taint = { key: 'gpu', effect: 'NoSchedule' } as const;
    expect(flaws({ taints: [taint], startupTaints: [taint] })).toEqual([
      'duplicate taint Key/Effect pair gpu=NoSchedule',
    ]);
  });

  it('rejects taints with invalid names', () => {
    expect(flaws({ taints: [{ key: 'a b', effect: 'NoSchedule' }] })[0]).toMatch(
      /^invalid value: .* in taints$/,
    );
    expect(flaws({ startupTaints: [{ key: 'a', value: 'b c', effect: 'NoSchedule' }] })[0]).toMatch(
      /^invalid value: .* in startupTaints$/,
    );
  });

  it('rejects requirements on the NodePool label and invalid ones', () => {
    expect(flaws({ requirements: [{ key: 'karpenter.sh/nodepool', operator: 'Exists' as const }] })).toEqual([
      'invalid key: "karpenter.sh/nodepool" in requirements, restricted',
    ]);
    expect(flaws({ requirements: [{ key: 'team', operator: 'In' as const, values: [] }] })).toEqual([
      'invalid value: key team with operator In must have a value defined in requirements, restricted',
    ]);
  });
});

it('names five and counts the others', () => {
  expect(listedNames(['a', 'b'])).toBe('a, b');
  expect(listedNames(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c, d, e');
  expect(listedNames(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe('a, b, c, d, e and 2 other(s)');
});
