import { instanceType, pool } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { coreLabelPolicy } from '../api/index.ts';
import { requirementPolicy } from '../requirements/index.ts';
import {
  BarrenPoolSearch,
  BatchWindow,
  equalTotals,
  exceededLimit,
  listedNames,
  nodeClassObstacle,
  nodePoolFlaws,
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

  it('has no end before something has come', () => {
    expect(window().endsAt).toBeUndefined();
  });

  it('ends when nothing new has come for a while', () => {
    const batch = window();
    batch.add('a', 0);
    expect(batch.endsAt).toBe(1000);
    batch.add('b', 800);
    expect(batch.endsAt).toBe(1800);
  });

  it('is not made longer by what is in it already', () => {
    const batch = window();
    batch.add('a', 0);
    expect(batch.add('a', 900)).toBe(false);
    expect(batch.endsAt).toBe(1000);
  });

  it('is not made longer by what has waited before, nor shorter', () => {
    const batch = window();
    batch.add('left by an earlier leader', 0, true);
    expect(batch.endsAt).toBe(0);
    batch.add('new', 200);
    batch.add('also left', 300, true);
    expect(batch.endsAt).toBe(1200);
  });

  it('ends after its longest time although something new comes all the time', () => {
    const batch = window();
    for (let at = 0; at < 20_000; at += 500) batch.add(`pod-${at}`, at);
    expect(batch.endsAt).toBe(10_000);
  });
});

describe('limits at creation', () => {
  it('are broken by having more than they allow, not by having as much', () => {
    const limited = pool('default', { limits: { cpu: '10', memory: '10Gi' } });
    expect(exceededLimit(limited, { cpu: '10', memory: '1Gi' })).toBeUndefined();
    expect(exceededLimit(limited, { cpu: '10', memory: '11Gi', nodes: '3' })).toEqual({
      resource: 'memory',
      limit: '10Gi',
      usage: '11Gi',
    });
  });

  it('count nodes too', () => {
    expect(exceededLimit(pool('default', { limits: { nodes: '2' } }), { nodes: '3' })).toMatchObject({
      resource: 'nodes',
    });
  });
});

describe('pools to plan with', () => {
  const ready = { conditions: [condition('Ready', 'True')] };
  const names = (pools: readonly { readonly metadata: { readonly name: string } }[]) =>
    pools.map(({ metadata }) => metadata.name);

  it('are managed, dynamic, staying and ready', () => {
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

describe('a pool without instance types', () => {
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
    return new BarrenPoolSearch()
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

  it('is found if none of its types can be had now', () => {
    expect(search(only('b'))).toEqual([false]);
  });

  it('is found for want of variety, unless that is only wished for', () => {
    const varied = {
      requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'Exists' as const, minValues: 2 }],
    };
    expect(search(varied)).toEqual([true]);
    expect(search(varied, 'BestEffort')).toEqual([]);
  });
});

describe('registrations of a pool', () => {
  const after = (...results: readonly ('success' | 'failure')[]) =>
    registrationHealth(results.map((result) => ({ result })).reduce(withRegistration, []));

  it('tell nothing before the first', () => {
    expect(after()).toBe('unknown');
  });

  it('are healthy after a success, and after one failure among four', () => {
    expect(after('success')).toBe('healthy');
    expect(after('failure')).toBe('healthy');
    expect(after('success', 'failure', 'success', 'success')).toBe('healthy');
  });

  it('are unhealthy from two failures among the last four', () => {
    expect(after('failure', 'failure')).toBe('unhealthy');
    expect(after('failure', 'failure', 'success', 'success')).toBe('unhealthy');
    expect(after('failure', 'failure', 'success', 'success', 'success')).toBe('healthy');
  });

  it('count a claim once, by what was last said of it', () => {
    const failure = { result: 'failure', claim: 'a' } as const;
    const twice = [failure, failure].reduce(withRegistration, []);
    expect(registrationHealth(twice)).toBe('healthy');
    const late = { result: 'success', claim: 'a' } as const;
    const other = { result: 'failure', claim: 'b' } as const;
    expect(registrationHealth([failure, late, other].reduce(withRegistration, []))).toBe('healthy');
    expect(registrationHealth([failure, other].reduce(withRegistration, []))).toBe('unhealthy');
  });

  it('go on after a restart from what the condition says', () => {
    expect(registrationHealth(recordFromCondition('True'))).toBe('healthy');
    expect(registrationHealth(recordFromCondition('False'))).toBe('unhealthy');
    expect(registrationHealth(recordFromCondition('Unknown'))).toBe('unknown');
  });
});

describe('a NodeClass', () => {
  it('stands in the way of its pools while it is missing, ending, unjudged or not ready', () => {
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

describe('the totals of a pool', () => {
  it('name the usual resources even where it has none', () => {
    expect(nodePoolTotals()).toEqual({
      resources: { cpu: '0', memory: '0', pods: '0', 'ephemeral-storage': '0', nodes: '0' },
      nodes: 0,
    });
  });

  it('count nodes', () => {
    const totals = nodePoolTotals({ cpu: '5', 'nvidia.com/gpu': '1', nodes: '2' });
    expect(totals).toMatchObject({ resources: { cpu: '5', 'nvidia.com/gpu': '1', nodes: '2' }, nodes: 2 });
    expect(equalTotals(totals, { resources: { ...totals.resources, cpu: '5000m' }, nodes: 2 })).toBe(true);
    expect(equalTotals(totals, { nodes: 2 })).toBe(false);
  });
});

describe('a pool beyond its schema', () => {
  const flaws = (parts: Parameters<typeof pool>[1]) => nodePoolFlaws(pool('default', parts), policy);

  it('that can be used has nothing wrong', () => {
    expect(flaws({ labels: { team: 'a' }, taints: [{ key: 'gpu', effect: 'NoSchedule' }] })).toEqual([]);
  });

  it('may not set labels that are reserved, malformed or the pool itself', () => {
    expect(flaws({ labels: { 'karpenter.sh/nodepool': 'x' } })).toEqual([
      'invalid key name "karpenter.sh/nodepool" in labels, restricted',
    ]);
    expect(flaws({ labels: { 'kubernetes.io/hostname': 'x' } })[0]).toMatch(
      /^invalid key name "kubernetes\.io\/hostname" in labels, using label kubernetes\.io\/hostname is not allowed/,
    );
    expect(flaws({ labels: { 'a b': 'x' } })[0]).toMatch(/^invalid key name "a b" in labels, "name part/);
    expect(flaws({ labels: { a: 'x y' } })[0]).toMatch(/^invalid value: x y for label\[a\], /);
  });

  it('may not have a taint twice, on either list', () => {
    const taint = { key: 'gpu', effect: 'NoSchedule' } as const;
    expect(flaws({ taints: [taint], startupTaints: [taint] })).toEqual([
      'duplicate taint Key/Effect pair gpu=NoSchedule',
    ]);
  });

  it('may not have taints that are no names', () => {
    expect(flaws({ taints: [{ key: 'a b', effect: 'NoSchedule' }] })[0]).toMatch(
      /^invalid value: .* in taints$/,
    );
    expect(flaws({ startupTaints: [{ key: 'a', value: 'b c', effect: 'NoSchedule' }] })[0]).toMatch(
      /^invalid value: .* in startupTaints$/,
    );
  });

  it('may not ask for its own name or for what makes no sense', () => {
    expect(flaws({ requirements: [{ key: 'karpenter.sh/nodepool', operator: 'Exists' as const }] })).toEqual([
      'invalid key: "karpenter.sh/nodepool" in requirements, restricted',
    ]);
    expect(flaws({ requirements: [{ key: 'team', operator: 'In' as const, values: [] }] })).toEqual([
      'invalid value: key team with operator In must have a value defined in requirements, restricted',
    ]);
  });
});

it('lists five names and counts the others', () => {
  expect(listedNames(['a', 'b'])).toBe('a, b');
  expect(listedNames(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c, d, e');
  expect(listedNames(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe('a, b, c, d, e and 2 other(s)');
});
