import {
  boundPod,
  instanceType,
  node,
  type PodParts,
  planOptions,
  pod,
  pods,
  pool,
  snapshot,
} from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { plan } from './plan.ts';
import type { Plan, PlanOptions } from './plan-result.ts';

const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';
const typeKey = 'node.kubernetes.io/instance-type';
const idLabel = 'karpenter.k8s.aws/capacity-reservation-id';
const capacityType = 'karpenter.sh/capacity-type';

const planned = (parts: Parameters<typeof snapshot>[0], options: PlanOptions = planOptions) =>
  plan(snapshot(parts), options);
const rejected = ({ rejections }: Plan) => rejections.map(({ pod: uid }) => uid);
const waiting = ({ deferred }: Plan) => [...deferred].sort();
const reservationOf = ({ newNodes }: Plan, uid: string) =>
  newNodes.find(({ pods: on }) => on.includes(uid))?.requirements.find(({ key }) => key === idLabel)?.values;

const selecting = (app: string, topologyKey: string) => ({
  requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { app } } }],
});
const spreadOver = (topologyKey: string, app: string) => ({
  topologyKey,
  maxSkew: 1,
  whenUnsatisfiable: 'DoNotSchedule' as const,
  labelSelector: { matchLabels: { app } },
});

describe('a reservation that the first attempt gave to pods which then wait', () => {
  it('goes to other pods that wait for it', () => {
    const type = instanceType('four', {
      price: 1,
      cpu: '4',
      reservations: [
        { id: 'none-in-a', capacity: 0, zone: 'a' },
        { id: 'none-in-b', capacity: 0, zone: 'b' },
        { id: 'one-in-c', capacity: 1, zone: 'c' },
      ],
    });
    const spread = pods(3, 'spread', {
      cpu: '3',
      labels: { app: 'spread' },
      topologySpreadConstraints: [spreadOver(zone, 'spread')],
    });
    const counted = pods(2, 'counted', { cpu: '2', labels: { app: 'counted' } });
    const counting = pod('counting', {
      nodeSelector: { [capacityType]: 'reserved', [zone]: 'a' },
      topologySpreadConstraints: [spreadOver(zone, 'counted')],
    });
    const result = planned({ pods: [...spread, ...counted, counting], types: [type] });
    expect(reservationOf(result, 'counted-0')).toEqual(['one-in-c']);
    expect(waiting(result)).toEqual(['counting', 'spread-0', 'spread-1', 'spread-2']);
  });

  it('is used although nodes of other pods are narrowed to another zone', () => {
    const type = instanceType('four', {
      price: 1,
      cpu: '4',
      reservations: [
        { id: 'none-in-a', capacity: 0, zone: 'a' },
        { id: 'one-in-b', capacity: 1, zone: 'b' },
      ],
    });
    const repelling = boundPod('repelling', 'n', {
      affinity: { podAntiAffinity: selecting('free', zone) },
    });
    const result = planned({
      pods: [
        pod('settled', { cpu: '3', nodeSelector: { [zone]: 'a' } }),
        pod('free', { labels: { app: 'free' } }),
      ],
      types: [type],
      nodes: [node('n', { labels: { [zone]: 'c' }, podRequests: { cpu: '4' } })],
      boundPods: [repelling],
    });
    expect(reservationOf(result, 'free')).toEqual(['one-in-b']);
    expect(waiting(result)).toEqual(['settled']);
  });
});

describe('a reservation with instances left after packing', () => {
  it('goes to pods that minValues keeps off the node they were packed on', () => {
    const types = [
      instanceType('large', { price: 1, cpu: '8', reservations: [{ id: 'one-large', capacity: 1 }] }),
      instanceType('middle', { price: 1, cpu: '4' }),
      instanceType('small', { price: 1, cpu: '2', reservations: [{ id: 'two-small', capacity: 2 }] }),
    ];
    const requirements = [{ key: typeKey, operator: 'Exists' as const, minValues: 2 }];
    const result = planned({
      pods: pods(4, 'p', { cpu: '1500m' }),
      types,
      pools: [pool('default', { requirements })],
    });
    expect(waiting(result)).toEqual([]);
    expect(result.newNodes.map(({ pods: [uid = ''] }) => reservationOf(result, uid))).toEqual([
      ['one-large'],
      ['two-small'],
      ['two-small'],
    ]);
  });
});

describe('pods whose pool has no reservation left', () => {
  it('go on to the next pool in fallback mode, however many pools there are', () => {
    const reservedOnly = [{ key: capacityType, operator: 'In' as const, values: ['reserved'] }];
    const usedUp = Array.from({ length: 12 }, (_, index) =>
      pool(`used-up-${index}`, { weight: 20 + index, requirements: reservedOnly }),
    );
    const types = [instanceType('t', { price: 1, reservations: [{ id: 'none', capacity: 0 }] })];
    const fallback: PlanOptions = { ...planOptions, reservedCapacity: { idLabel, mode: 'fallback' } };
    const result = planned({ pods: [pod('p')], types, pools: [...usedUp, pool('last')] }, fallback);
    expect(result.newNodes).toMatchObject([{ nodePool: 'last', pods: ['p'] }]);
  });
});

describe('pods that must share a host', () => {
  const follows = (app: string): PodParts => ({ affinity: { podAffinity: selecting(app, hostname) } });

  it('start a host of their own if the pods that they would join are deferred', () => {
    const gpu = { 'example.com/gpu': '1' };
    const types = [
      instanceType('gpu', { price: 9, extra: gpu, reservations: [{ id: 'none', capacity: 0 }] }),
      instanceType('plain', { price: 1 }),
    ];
    const labels = { app: 'web' };
    const follower = pod('follower', {
      labels,
      ...follows('web'),
      nodeSelector: { [typeKey]: 'plain' },
    });
    const result = planned({ pods: [pod('first', { cpu: '2', extra: gpu, labels }), follower], types });
    expect(waiting(result)).toEqual(['first']);
    expect(result.newNodes).toMatchObject([{ pods: ['follower'] }]);
  });

  it('do not keep the pod that they joined from a reservation', () => {
    const types = [
      instanceType('large', { price: 2, cpu: '8', reservations: [{ id: 'one-large', capacity: 1 }] }),
      instanceType('small', { price: 1, cpu: '2', reservations: [{ id: 'small', capacity: 4 }] }),
    ];
    const labels = { app: 'web' };
    const together = pods(4, 'together', { cpu: '3', labels, ...follows('web') });
    const result = planned({ pods: [...together, ...pods(2, 'alone', { labels, ports: [80] })], types });
    expect([...waiting(result), ...rejected(result)].filter((uid) => uid.startsWith('alone'))).toEqual([]);
    expect(reservationOf(result, 'together-0')).toEqual(['one-large']);
  });
});

describe('the rest of the limits', () => {
  it('is the reason for rejecting pods that could use other capacity in fallback mode', () => {
    const types = [instanceType('t', { price: 1, cpu: '8', reservations: [{ id: 'one', capacity: 1 }] })];
    const fallback: PlanOptions = { ...planOptions, reservedCapacity: { idLabel, mode: 'fallback' } };
    const parts = { pods: pods(2, 'p', { ports: [80] }), types };
    const { rejections } = planned({ ...parts, pools: [pool('p', { limits: { cpu: '8' } })] }, fallback);
    expect(rejections).toMatchObject([{ reasons: [{ nodePool: 'p', failed: ['limits'] }] }]);
  });

  it('is not used for more nodes than minValues makes necessary', () => {
    const types = [
      instanceType('roomy', { price: 1, cpu: '4', memory: '32Gi' }),
      instanceType('flat', { price: 1.1, cpu: '4', memory: '16Gi' }),
      instanceType('small', { price: 5, cpu: '2', memory: '8Gi' }),
    ];
    const requirements = [{ key: typeKey, operator: 'Exists' as const, minValues: 2 }];
    const result = planned(
      {
        pods: pods(3, 'p', { cpu: '1', memory: '6Gi' }),
        types,
        pools: [pool('limited', { weight: 10, requirements, limits: { cpu: '6' } }), pool('lighter')],
      },
      { ...planOptions, minValuesPolicy: 'BestEffort' },
    );
    expect(result.newNodes.map(({ nodePool, pods: on }) => [nodePool, on.length])).toEqual([
      ['limited', 2],
      ['limited', 1],
    ]);
  });

  it('goes to a pod without which the spread leaves others no domain in another pool', () => {
    const type = instanceType('one', { price: 1, cpu: '1' });
    const inZones = (...values: string[]) => [{ key: zone, operator: 'In' as const, values }];
    const elsewhere = { matchExpressions: [{ key: zone, operator: 'NotIn', values: ['b'] }] };
    const nodeAffinity = {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: elsewhere }],
    };
    const result = planned({
      pods: pods(6, 'p', {
        labels: { app: 'p' },
        affinity: { nodeAffinity },
        topologySpreadConstraints: [spreadOver(zone, 'p')],
      }),
      types: [type],
      pools: [
        pool('open', { weight: 10, requirements: inZones('c') }),
        pool('limited', { requirements: inZones('a', 'b'), limits: { nodes: '2' } }),
      ],
    });
    expect(result.newNodes.filter(({ nodePool }) => nodePool === 'open')).toHaveLength(2);
    expect(result.newNodes.filter(({ nodePool }) => nodePool === 'limited')).toHaveLength(2);
  });
});

describe('a preference', () => {
  it('that excludes a required label is relaxed', () => {
    const expression = (operator: string) => ({ matchExpressions: [{ key: 'team', operator }] });
    const nodeAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [expression('Exists')] },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: expression('DoesNotExist') },
      ],
    };
    const requirements = [{ key: 'team', operator: 'NotIn' as const, values: ['blue'] }];
    const { newNodes } = planned({
      pods: [pod('p', { affinity: { nodeAffinity } })],
      types: [instanceType('t', { price: 1 })],
      pools: [pool('default', { requirements })],
    });
    expect(newNodes).toHaveLength(1);
    expect(newNodes[0]?.requirements.find(({ key }) => key === 'team')?.operator).toBe('NotIn');
  });
});
