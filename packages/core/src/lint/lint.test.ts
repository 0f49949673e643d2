import { describe, expect, it } from 'vitest';
import type { NodePool } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import { Vocabulary } from '../requirements/index.ts';
import { parseQuantity } from '../values/index.ts';
import { type LintedBudget, type LintedPool, type LintedWorkload, lintPools } from './index.ts';

const at = Date.UTC(2026, 0, 1);

interface PoolParts {
  readonly name?: string;
  readonly requirements?: readonly object[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly object[];
  readonly expireAfter?: string;
  readonly disruption?: object;
  readonly limits?: Readonly<Record<string, string>>;
  readonly weight?: number;
  readonly replicas?: number;
}

function poolOf({
  name = 'a',
  requirements = [],
  labels,
  taints,
  expireAfter = '720h',
  ...spec
}: PoolParts): NodePool {
  const nodeClassRef = { group: 'g', kind: 'EC2NodeClass', name: 'default' };
  const disruption = { consolidateAfter: '30s', budgets: [{ nodes: '10%' }] };
  const template = {
    ...(labels && { metadata: { labels } }),
    spec: { requirements, nodeClassRef, expireAfter, ...(taints && { taints }) },
  };
  return {
    metadata: { name },
    spec: { limits: { cpu: '100' }, disruption, template, ...spec },
  } as unknown as NodePool;
}

const offering = (zone: string, capacityType: string) => ({
  requirements: [
    { key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: [zone] },
    { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: [capacityType] },
  ],
  price: 1,
  available: true,
});

const instanceType = (name: string, parts: Partial<InstanceType> = {}): InstanceType => ({
  name,
  requirements: [],
  capacity: { cpu: '4', memory: '8Gi' },
  overhead: {},
  offerings: [offering('za', 'spot'), offering('zb', 'spot'), offering('za', 'on-demand')],
  ...parts,
});

const manyTypes = Array.from({ length: 15 }, (_, index) => instanceType(`t${index}`));

const linted = (parts: PoolParts = {}, more: Partial<LintedPool> = {}): LintedPool => ({
  nodePool: poolOf(parts),
  types: manyTypes,
  hasKnownTypes: true,
  ...more,
});

const workload = (parts: Partial<LintedWorkload> & { readonly cpuText?: string } = {}): LintedWorkload => {
  const { cpuText = '500m', ...rest } = parts;
  return {
    kind: 'Deployment',
    namespace: 'default',
    name: 'web',
    labels: { app: 'web' },
    annotations: {},
    replicas: 3,
    cpu: parseQuantity(cpuText),
    spec: {},
    ...rest,
  };
};

function found(
  pools: readonly LintedPool[],
  workloads: readonly LintedWorkload[] = [],
  budgets: readonly LintedBudget[] = [],
): readonly string[] {
  const vocabulary = new Vocabulary();
  const wellKnown = vocabulary.keySet(['kubernetes.io/arch']);
  const findings = lintPools({ pools, workloads, budgets, vocabulary, wellKnown, at });
  for (const { reason, fix } of findings) expect([reason, fix].every((text) => text.length > 10)).toBe(true);
  return findings.map(({ code, object, field }) => `${code} ${object} ${field}`);
}

const requirements = 'NodePool a spec.template.spec.requirements';

it('finds nothing in a pool of many types and zones with limits, a budget and an expiry', () => {
  expect(found([linted()], [workload()])).toEqual([]);
});

describe('KL001', () => {
  it('finds 14 spot types, and not 15 or none', () => {
    expect(found([linted({}, { types: manyTypes.slice(1) })])).toEqual([`KL001 ${requirements}`]);
    const onDemand = [
      instanceType('x', { offerings: [offering('za', 'on-demand'), offering('zb', 'on-demand')] }),
    ];
    expect(found([linted({}, { types: onDemand })])).toEqual([]);
  });
});

describe('KL002', () => {
  it('finds a pool whose offerings are all in one zone', () => {
    const types = manyTypes.map((type) => ({ ...type, offerings: [offering('za', 'spot')] }));
    expect(found([linted({}, { types })])).toEqual([`KL002 ${requirements}`]);
  });
});

describe('KL003', () => {
  const types = manyTypes.map((type) => ({ ...type, burst: { baseline: 0.4, surplusPrice: 0.05 } }));

  it('finds burstable types for pods of whole cores', () => {
    expect(found([linted({}, { types })], [workload({ cpuText: '1' })])).toEqual([`KL003 ${requirements}`]);
  });

  it.each([
    ['request less', workload({ cpuText: '999m' })],
    [
      'ask for a label that the pool lacks',
      workload({ cpuText: '4', spec: { nodeSelector: { team: 'x' } } }),
    ],
  ])('finds none for pods that %s', (_, pods) => {
    expect(found([linted({}, { types })], [pods])).toEqual([]);
  });
});

describe('KL004', () => {
  const job = workload({ kind: 'Job', name: 'etl' });
  const zero = (consolidationPolicy: string) =>
    linted({ disruption: { consolidateAfter: '0s', consolidationPolicy } });

  it.each(['WhenEmpty', 'WhenEmptyOrUnderutilized'])(
    'finds unprotected Jobs in a pool that consolidates at once (%s)',
    (policy) => {
      expect(found([zero(policy)], [job])).toEqual(['KL004 NodePool a spec.disruption.consolidateAfter']);
      expect(found([zero(policy)], [{ ...job, kind: 'CronJob' }])).toHaveLength(1);
    },
  );

  it.each([
    ['protected Jobs', { ...job, annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }],
    ['other workloads', workload()],
  ])('finds no %s', (_, pods) => {
    expect(found([zero('WhenEmpty')], [pods])).toEqual([]);
  });

  it.each(['30s', 'Never'])('finds nothing in a pool that consolidates after %s', (consolidateAfter) => {
    expect(
      found([linted({ disruption: { consolidateAfter, consolidationPolicy: 'WhenEmpty' } })], [job]),
    ).toEqual([]);
  });
});

describe('KL005', () => {
  const budgets = (...list: readonly object[]) =>
    found([linted({ disruption: { consolidateAfter: '30s', budgets: list } })]);
  const blocked = ['KL005 NodePool a spec.disruption.budgets'];

  it.each([
    ['a budget of 0 without a schedule', [{ nodes: '0' }]],
    ['a budget of 0 % beside another', [{ nodes: '10%' }, { nodes: '0%' }]],
    ['a window of a whole day every day', [{ nodes: '0', schedule: '@daily', duration: '24h' }]],
    [
      'windows that follow on each other',
      [
        { nodes: '0', schedule: '0 0 * * *', duration: '12h30m' },
        { nodes: '0', schedule: '30 12 * * *', duration: '11h30m' },
      ],
    ],
    ['a window of a minute every minute', [{ nodes: '0', schedule: '* * * * *', duration: '1m' }]],
    ['a window of a month every month', [{ nodes: '0', schedule: '@monthly', duration: '744h' }]],
    ['one reason that is always blocked', [{ nodes: '0', reasons: ['Drifted'] }]],
    ['a window that overlaps itself', [{ nodes: '0', schedule: '@hourly', duration: '3h' }]],
  ])('finds %s', (_, list) => {
    expect(budgets(...list)).toEqual(blocked);
  });

  it.each([
    ['working hours', [{ nodes: '0', schedule: '0 9 * * mon-fri', duration: '8h' }]],
    ['a day without its last minute', [{ nodes: '0', schedule: '@daily', duration: '23h59m' }]],
    ['weekdays', [{ nodes: '0', schedule: '0 0 * * 1-5', duration: '24h' }]],
    ['a month that may have 31 days', [{ nodes: '0', schedule: '@monthly', duration: '720h' }]],
    ['a budget of 1', [{ nodes: '1' }]],
    ['no budgets', []],
  ])('finds none in %s', (_, list) => {
    expect(budgets(...list)).toEqual([]);
  });
});

describe('KL006', () => {
  it.each([
    ['a day that does not exist', '0 0 31 2 *', '1h'],
    ['no length', '@daily', '0s'],
    ['a schedule that cannot be read', '0 0 99 * *', '1h'],
  ])('finds a window with %s', (_, schedule, duration) => {
    const pool = linted({
      disruption: { consolidateAfter: '30s', budgets: [{ nodes: '5' }, { nodes: '1', schedule, duration }] },
    });
    expect(found([pool])).toEqual(['KL006 NodePool a spec.disruption.budgets[1].schedule']);
  });
});

describe('KL007', () => {
  it.each([
    ['Never', 1],
    ['8761h', 1],
    ['8760h', 0],
    ['720h', 0],
  ])('with expireAfter %s finds %i', (expireAfter, count) => {
    expect(found([linted({ expireAfter })])).toHaveLength(count);
  });
});

describe('KL008', () => {
  it.each<[Readonly<Record<string, string>>, readonly string[]]>([
    [{ cpu: '3' }, ['KL008 NodePool a spec.limits.cpu']],
    [{ cpu: '4', memory: '4Gi' }, ['KL008 NodePool a spec.limits.memory']],
    [{ nodes: '0' }, ['KL008 NodePool a spec.limits.nodes']],
    [{ cpu: '4', memory: '8Gi', nodes: '1' }, []],
    [{ 'nvidia.com/gpu': '0' }, []],
  ])('compares limits %j with the smallest node', (limits, expected) => {
    expect(found([linted({ limits })])).toEqual(expected);
  });
});

describe('KL009', () => {
  const pair = (a: PoolParts, b: PoolParts) =>
    found([linted({ name: 'a', ...a }), linted({ name: 'b', ...b })]);
  const overlap = ['KL009 NodePool b spec.weight'];

  it.each<[string, PoolParts, PoolParts]>([
    ['without weights', {}, {}],
    ['with equal weights', { weight: 5 }, { weight: 5 }],
    ['with the same taint', { taints: [taint('x')] }, { taints: [taint('x')] }],
    ['of which one has a label', { labels: { team: 'x' } }, {}],
  ])('finds pools %s', (_, a, b) => {
    expect(pair(a, b)).toEqual(overlap);
  });

  it.each<[string, PoolParts, PoolParts]>([
    ['different weights', { weight: 5 }, {}],
    ['different taints', { taints: [taint('x')] }, {}],
    ['labels that exclude each other', { labels: { team: 'x' } }, { labels: { team: 'y' } }],
    [
      'requirements that exclude each other',
      { requirements: [arch('amd64')] },
      { requirements: [arch('arm64')] },
    ],
    ['a fixed number of nodes', { replicas: 2 }, {}],
  ])('finds none with %s', (_, a, b) => {
    expect(pair(a, b)).toEqual([]);
  });

  it('finds none without a common type', () => {
    const others = manyTypes.map((type) => ({ ...type, name: `${type.name}-b` }));
    expect(found([linted({ name: 'a' }), linted({ name: 'b' }, { types: others })])).toEqual([]);
  });
});

function taint(value: string) {
  return { key: 'team', value, effect: 'NoSchedule' };
}

function arch(value: string) {
  return { key: 'kubernetes.io/arch', operator: 'In', values: [value] };
}

describe('KL011', () => {
  const tainted = linted({ taints: [taint('x')] });

  it('finds a taint that no workload tolerates, DaemonSets aside', () => {
    const everywhere = workload({ kind: 'DaemonSet', spec: { tolerations: [{ operator: 'Exists' }] } });
    expect(found([tainted], [workload(), everywhere])).toEqual([
      'KL011 NodePool a spec.template.spec.taints[0]',
    ]);
  });

  it('finds none without workloads, or with one that tolerates it', () => {
    const tolerating = workload({ spec: { tolerations: [{ key: 'team', operator: 'Exists' }] } });
    expect(found([tainted])).toEqual([]);
    expect(found([tainted], [workload(), tolerating])).toEqual([]);
  });

  it('finds no preference', () => {
    const soft = linted({ taints: [{ ...taint('x'), effect: 'PreferNoSchedule' }] });
    expect(found([soft], [workload()])).toEqual([]);
  });
});

it('KL012 finds a class that is not given beside others', () => {
  expect(found([linted({}, { hasClass: false })])).toEqual([
    'KL012 NodePool a spec.template.spec.nodeClassRef.name',
  ]);
  expect(found([linted({}, { hasClass: undefined })])).toEqual([]);
});

it('KL013 finds a pool without limits, unless its number of nodes is fixed', () => {
  expect(found([linted({ limits: {} })])).toEqual(['KL013 NodePool a spec.limits']);
  expect(found([linted({ limits: {}, replicas: 2 })])).toEqual([]);
});

describe('KL014', () => {
  const budget = (parts: Partial<LintedBudget>) =>
    found(
      [linted()],
      [workload()],
      [{ namespace: 'default', name: 'b', selector: { matchLabels: { app: 'web' } }, ...parts }],
    );

  it.each<[Partial<LintedBudget>, readonly string[]]>([
    [{ maxUnavailable: 0 }, ['KL014 PodDisruptionBudget default/b spec.maxUnavailable']],
    [{ maxUnavailable: '0%' }, ['KL014 PodDisruptionBudget default/b spec.maxUnavailable']],
    [{ minAvailable: '100%' }, ['KL014 PodDisruptionBudget default/b spec.minAvailable']],
    [{ minAvailable: 3 }, ['KL014 PodDisruptionBudget default/b spec.minAvailable']],
    [{ minAvailable: '90%' }, ['KL014 PodDisruptionBudget default/b spec.minAvailable']],
    [{ minAvailable: 2 }, []],
    [{ maxUnavailable: '10%' }, []],
    [{ minAvailable: 3, namespace: 'other' }, []],
  ])('decides on %j of three pods', (parts, expected) => {
    expect(budget(parts)).toEqual(expected);
  });
});

it('KL015 finds requirements that no type meets, unless only the account knows the types', () => {
  expect(found([linted({}, { types: [] })])).toEqual([`KL015 ${requirements}`]);
  expect(found([linted({}, { types: [], hasKnownTypes: false })])).toEqual([]);
});
