import { instanceType, planOptions, pod, pods, pool, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { plan } from '../plan.ts';
import type { Plan, PlanOptions } from '../plan-result.ts';

const idLabel = 'karpenter.k8s.aws/capacity-reservation-id';
const capacityType = 'karpenter.sh/capacity-type';
const zone = 'topology.kubernetes.io/zone';

const fallback: PlanOptions = { ...planOptions, reservedCapacity: { idLabel, mode: 'fallback' } };
const { reservedCapacity: _, ...gateOff } = planOptions;

const planned = (parts: Parameters<typeof snapshot>[0], options: PlanOptions = planOptions) =>
  plan(snapshot(parts), options);

const valuesOf = ({ newNodes }: Plan, key: string) =>
  newNodes.map(({ requirements }) => requirements.find((item) => item.key === key)?.values);

/** Holds four of the pods of these tests. */
const four = (...reservations: readonly { id: string; capacity: number; zone?: string }[]) =>
  instanceType('four', { price: 1, cpu: '4', reservations });

/** Pods that must be on one host. */
const companions = {
  labels: { app: 'web' },
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
      ],
    },
  },
};

describe('a node on a capacity reservation', () => {
  it('is pinned to the reservation and states no other capacity type', () => {
    const result = planned({ pods: [pod('p')], types: [four({ id: 'cr-1', capacity: 1 })] });
    expect(valuesOf(result, capacityType)).toEqual([['reserved']]);
    expect(valuesOf(result, idLabel)).toEqual([['cr-1']]);
    expect(result.newNodes).toMatchObject([{ instanceTypes: ['four'], price: 1e-7 }]);
  });

  it('is chosen before cheaper on-demand and spot offerings', () => {
    const tiny = instanceType('tiny', { price: 1e-9, cpu: '2', capacityTypes: ['spot', 'on-demand'] });
    const result = planned({ pods: [pod('p')], types: [tiny, four({ id: 'cr-1', capacity: 1 })] });
    expect(valuesOf(result, idLabel)).toEqual([['cr-1']]);
  });

  it('is planned even if its price is unknown', () => {
    const { offerings, ...rest } = four({ id: 'cr-1', capacity: 1 });
    const free = offerings.map((each) =>
      each.reservationCapacity === undefined ? each : { ...each, price: 0 },
    );
    const result = planned({ pods: pods(3, 'p'), types: [{ ...rest, offerings: free }] });
    expect(result.newNodes).toMatchObject([{ price: 0, pods: ['p-0', 'p-1', 'p-2'] }]);
  });

  it('takes no pod that would outgrow the reservation, except in fallback mode', () => {
    const target = pod('target', { cpu: '3', labels: { app: 'x' } });
    const follower = pod('follower', {
      cpu: '2',
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'x' } } },
          ],
        },
      },
    });
    const types = [four({ id: 'cr-1', capacity: 1 }), instanceType('large', { price: 2, cpu: '16' })];
    const strictly = planned({ pods: [target, follower], types });
    expect(strictly.newNodes).toMatchObject([{ instanceTypes: ['four'], pods: ['target'] }]);
    expect(strictly.rejections).toMatchObject([{ pod: 'follower' }]);
    const loosely = planned({ pods: [target, follower], types }, fallback);
    expect(loosely.newNodes).toMatchObject([{ instanceTypes: ['large'] }]);
  });

  it('holds every other reservation that it can use and no other node needs', () => {
    const types = [four({ id: 'cr-1', capacity: 1 }, { id: 'cr-2', capacity: 1, zone: 'b' })];
    expect(valuesOf(planned({ pods: [pod('p')], types }), idLabel)).toEqual([['cr-1', 'cr-2']]);
  });

  it('does not hold a reservation that other pods need', () => {
    const types = [four({ id: 'cr-1', capacity: 1 }, { id: 'cr-2', capacity: 1, zone: 'b' })];
    const result = planned({ pods: pods(8, 'p'), types });
    expect(valuesOf(result, idLabel).flat().sort()).toEqual(['cr-1', 'cr-2']);
    expect(result.deferred).toEqual([]);
  });

  it('does not hold reservations that its pods exclude', () => {
    const types = [four({ id: 'cr-1', capacity: 5 }, { id: 'cr-2', capacity: 5, zone: 'b' })];
    const result = planned({ pods: [pod('p', { nodeSelector: { [zone]: 'b' } })], types });
    expect(valuesOf(result, idLabel)).toEqual([['cr-2']]);
  });

  it('lists further types if the pool requires minValues', () => {
    const result = planned({
      pods: [pod('p')],
      types: [four({ id: 'cr-1', capacity: 1 }), instanceType('other', { price: 3 })],
      pools: [
        pool('default', {
          requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues: 2 }],
        }),
      ],
    });
    expect(result.newNodes).toMatchObject([{ instanceTypes: ['four', 'other'], price: 1e-7 }]);
    expect(valuesOf(result, idLabel)).toEqual([['cr-1']]);
  });
});

describe('the instances of a capacity reservation', () => {
  it('are shared by all types and zones that name it', () => {
    const shared = { id: 'cr-1', capacity: 2 };
    const twin = instanceType('twin', { price: 1, cpu: '4', reservations: [{ ...shared, zone: 'b' }] });
    const result = planned({ pods: pods(12, 'p'), types: [four(shared), twin] });
    expect(result.newNodes).toHaveLength(2);
    expect(result.deferred).toHaveLength(4);
  });

  it('are shared by all pools', () => {
    const result = planned({
      pods: [
        pod('left', { nodeSelector: { 'karpenter.sh/nodepool': 'left' } }),
        pod('right', { nodeSelector: { 'karpenter.sh/nodepool': 'right' } }),
      ],
      pools: [pool('left'), pool('right')],
      types: [four({ id: 'cr-1', capacity: 1 })],
    });
    expect(result.newNodes).toHaveLength(1);
    expect(result.deferred).toHaveLength(1);
  });

  it('are as many as the lowest number that an offering reports', () => {
    const other = instanceType('other', { price: 1, cpu: '4', reservations: [{ id: 'cr-1', capacity: 1 }] });
    const result = planned({ pods: pods(12, 'p'), types: [four({ id: 'cr-1', capacity: 3 }), other] });
    expect(result.newNodes).toHaveLength(1);
    expect(result.deferred).toHaveLength(8);
  });

  it('hold as many pods as possible when they are few', () => {
    const shared = { id: 'cr-1', capacity: 1 };
    const small = instanceType('small', { price: 0.2, cpu: '1', reservations: [shared] });
    const result = planned({ pods: pods(4, 'p'), types: [small, four(shared)] });
    expect(result.newNodes).toMatchObject([{ pods: ['p-0', 'p-1', 'p-2', 'p-3'] }]);
  });

  it('are not left unused while pods wait that other pods count', () => {
    const shared = { id: 'cr-1', capacity: 1 };
    const gpu = { 'example.com/gpu': '1' };
    const types = [
      instanceType('large', { price: 4, cpu: '16', pods: '7', reservations: [shared] }),
      instanceType('gpu', { price: 5, cpu: '2', pods: '7', extra: gpu, reservations: [shared] }),
      instanceType('small', { price: 1, cpu: '3', reservations: [{ id: 'cr-2', capacity: 2 }] }),
    ];
    const terms = [{ topologyKey: capacityType, labelSelector: { matchLabels: { app: 'web' } } }];
    const follower = pod('follower', {
      nodeSelector: { team: 'none' },
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
    });
    const result = planned({
      pods: [
        ...pods(5, 'web', { cpu: '2', labels: { app: 'web' } }),
        ...pods(4, 'job', { cpu: '100m' }),
        ...pods(5, 'gpu', { cpu: '100m', extra: gpu }),
        follower,
      ],
      types,
    });
    expect(result.deferred.filter((uid) => uid.startsWith('web'))).toEqual([]);
  });

  it('are not used if the offering is not available', () => {
    const type = instanceType('t', {
      price: 1,
      reservations: [{ id: 'cr-1', capacity: 4, available: false }],
    });
    const result = planned({ pods: [pod('p')], types: [type] });
    expect(valuesOf(result, capacityType)).toEqual([['on-demand']]);
    expect(result.deferred).toEqual([]);
  });
});

describe('pods whose reservations this plan assigned to others', () => {
  const types = [four({ id: 'cr-1', capacity: 1 })];

  it('are deferred to the next plan and not rejected', () => {
    const result = planned({ pods: pods(6, 'p'), types });
    expect(result.newNodes).toMatchObject([{ pods: ['p-0', 'p-1', 'p-2', 'p-3'] }]);
    expect(result).toMatchObject({ deferred: ['p-4', 'p-5'], rejections: [] });
  });

  it('do not fall back to pools of less weight', () => {
    const pools = [
      pool('reserved', {
        weight: 10,
        requirements: [{ key: capacityType, operator: 'In', values: ['reserved'] }],
      }),
      pool('spare'),
    ];
    const result = planned({ pods: pods(6, 'p'), types, pools });
    expect(result.newNodes).toMatchObject([{ nodePool: 'reserved' }]);
    expect(result.deferred).toHaveLength(2);
  });

  it('keep a preference that only the reservation satisfies', () => {
    const preferred = (values: readonly string[]) => ({
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: capacityType, operator: 'In', values }] } },
          ],
        },
      },
    });
    expect(planned({ pods: pods(5, 'p', preferred(['reserved'])), types }).deferred).toHaveLength(1);
    expect(planned({ pods: pods(5, 'p', preferred(['on-demand'])), types }).deferred).toHaveLength(0);
  });

  it('may join a node that is created for other pods', () => {
    const onDemand = pod('picky', { cpu: '3', nodeSelector: { [capacityType]: 'on-demand' } });
    const result = planned({ pods: [...pods(5, 'p'), onDemand], types });
    expect(result.deferred).toEqual([]);
    expect(result.newNodes.map(({ pods: on }) => on.length).sort()).toEqual([2, 4]);
    expect(valuesOf(result, capacityType)).toContainEqual(['on-demand']);
  });

  it('are not counted in the domain where they wait', () => {
    const spread = {
      labels: { app: 'web' },
      topologySpreadConstraints: [
        {
          topologyKey: zone,
          maxSkew: 1,
          whenUnsatisfiable: 'DoNotSchedule' as const,
          labelSelector: { matchLabels: { app: 'web' } },
        },
      ],
    };
    const result = planned({ pods: pods(30, 'p', spread), types });
    const zones = new Map<string, number>([['a', 0]]);
    for (const { requirements, pods: on } of result.newNodes) {
      const [name = ''] = requirements.find(({ key }) => key === zone)?.values ?? [];
      zones.set(name, (zones.get(name) ?? 0) + on.length);
    }
    expect(zones.get('a')).toBe(4);
    expect(Math.max(...zones.values())).toBe(5);
    expect(result.deferred).toHaveLength(30 - 14);
  });

  it('are deferred together with pods of their class that must share their host', () => {
    const large = instanceType('large', { price: 2, cpu: '16' });
    const taken = four({ id: 'cr-1', capacity: 0 });
    const result = planned({ pods: pods(3, 'p', { cpu: '2', ...companions }), types: [taken, large] });
    expect(result.newNodes).toEqual([]);
    expect(result.rejections).toEqual([]);
    expect([...result.deferred].sort()).toEqual(['p-0', 'p-1', 'p-2']);
  });

  it('are not counted where they would share a host', () => {
    const apart = pod('apart', {
      cpu: '3',
      labels: { app: 'web' },
      affinity: {
        ...companions.affinity,
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: zone, labelSelector: { matchLabels: { app: 'other' } } },
          ],
        },
      },
    });
    const other = pod('other', {
      labels: { app: 'other' },
      nodeSelector: { [capacityType]: 'on-demand' },
    });
    const result = planned({ pods: [apart, other], types: [four({ id: 'cr-1', capacity: 0 })] });
    expect(result.newNodes).toMatchObject([{ pods: ['other'] }]);
  });

  it('take other capacity if minValues divides what a reservation would have held', () => {
    const pools = [
      pool('default', {
        requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues: 2 }],
      }),
    ];
    const two = instanceType('two', { price: 1, cpu: '2' });
    const parts = { pods: pods(2, 'p', { cpu: '2' }), pools, types: [...types, two] };
    const loosely = planned(parts, fallback);
    expect(valuesOf(loosely, idLabel)).toEqual([['cr-1'], undefined]);
    expect(loosely.rejections).toEqual([]);
    expect(planned(parts).deferred).toHaveLength(1);
  });

  it('take other capacity in fallback mode', () => {
    const result = planned({ pods: pods(6, 'p'), types }, fallback);
    expect(result.deferred).toEqual([]);
    expect(valuesOf(result, capacityType)).toEqual([['reserved'], ['on-demand']]);
    expect(valuesOf(result, idLabel)).toEqual([['cr-1'], undefined]);
  });

  it('are rejected in fallback mode if there is no other capacity', () => {
    const pools = [
      pool('default', { requirements: [{ key: capacityType, operator: 'In', values: ['reserved'] }] }),
    ];
    const { rejections } = planned({ pods: pods(5, 'p'), types, pools }, fallback);
    expect(rejections).toMatchObject([
      {
        reasons: [{ failed: ['reservations'] }],
        message: 'compatible capacity reservations have no instances left (NodePool=default)',
      },
    ]);
  });

  it('are rejected because of limits if instances of the reservation are left', () => {
    const pools = [pool('default', { limits: { cpu: '4' } })];
    const result = planned({ pods: pods(6, 'p'), types: [four({ id: 'cr-1', capacity: 9 })], pools });
    expect(result.deferred).toEqual([]);
    expect(result.rejections).toHaveLength(2);
  });
});

describe('with the gate ReservedCapacity off', () => {
  it('plans reserve and pin nothing', () => {
    const result = planned({ pods: pods(6, 'p'), types: [four({ id: 'cr-1', capacity: 1 })] }, gateOff);
    expect(result.deferred).toEqual([]);
    expect(valuesOf(result, idLabel)).toEqual([undefined, undefined]);
  });
});
