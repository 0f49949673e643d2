import { randomCluster } from '@karpenter/testkit/random-clusters';
import { seeds } from '@karpenter/testkit/rounds';
import { instanceType, planOptions, pod, pods, pool, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { plan } from '../plan.ts';
import type { PlannedNode } from '../plan-result.ts';
import type { NodeChoice } from './node-choice.ts';

const zone = 'topology.kubernetes.io/zone';
const small = instanceType('small', { price: 1, cpu: '2', memory: '4Gi' });
const wide = instanceType('wide', { price: 1.5, cpu: '4', memory: '4Gi' });
const tall = instanceType('tall', { price: 2, cpu: '4', memory: '16Gi' });
const huge = instanceType('huge', { price: 4, cpu: '8', memory: '32Gi' });

function choiceFor(parts: Parameters<typeof snapshot>[0]): NodeChoice | undefined {
  return plan(snapshot({ types: [small, wide, tall, huge], ...parts }), planOptions).newNodes[0]?.choice;
}

describe('why a node was chosen', () => {
  it('names the offering, its price and how full it is', () => {
    const daemonPods = [pod('d', { cpu: '500m', memory: '1Gi' })];
    const choice = choiceFor({ pods: [pod('p', { cpu: '3', memory: '7Gi' })], daemonPods });
    expect(choice).toMatchObject({
      offering: { instanceType: 'tall', zone: 'a', capacityType: 'on-demand', price: 2 },
      fill: { cpu: 0.875, memory: 0.5, pods: 0.018 },
    });
  });

  it('is part of the plan as data, although it is computed when read', () => {
    const made = plan(snapshot({ types: [small, tall], pods: [pod('p')] }), planOptions);
    const [node] = made.newNodes;
    expect(JSON.parse(JSON.stringify(made)).newNodes[0].choice).toEqual(node?.choice);
    expect(structuredClone(node)?.choice).toEqual(node?.choice);
    expect(node?.choice).toBe(node?.choice);
  });

  it('names the next cheaper offering and what it has too little of', () => {
    const choice = choiceFor({ pods: [pod('p', { cpu: '1', memory: '8Gi' })] });
    expect(choice).toMatchObject({
      tooSmall: { instanceType: 'wide', price: 1.5 },
      bindingResources: ['memory'],
    });
  });

  it('names no cheaper offering if there is none', () => {
    const choice = choiceFor({ pods: [pod('p')] });
    expect(choice?.bindingResources).toEqual([]);
    expect(choice).not.toHaveProperty('tooSmall');
  });

  it('names the next cheapest types for the same pods', () => {
    const choice = choiceFor({ pods: [pod('p', { cpu: '1', memory: '8Gi' })] });
    expect(choice?.alternatives).toMatchObject([{ instanceType: 'huge', price: 4 }]);
  });

  it('names the offering that the pods would use without their reservation', () => {
    const reserved = instanceType('reserved', { price: 3, reservations: [{ id: 'cr-1', capacity: 1 }] });
    expect(choiceFor({ pods: [pod('p')], types: [reserved, huge] })).toMatchObject({
      offering: { instanceType: 'reserved', capacityType: 'reserved', reservation: 'cr-1' },
      alternatives: [
        { instanceType: 'reserved', capacityType: 'on-demand', price: 3 },
        { instanceType: 'huge', capacityType: 'on-demand', price: 4 },
      ],
      narrowings: [{ by: ['reservation'], requirement: expect.stringContaining('In [cr-1]') }],
    });
  });

  it('names the source of each requirement of the node', () => {
    const spread = {
      topologyKey: zone,
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule' as const,
      labelSelector: { matchLabels: { app: 'web' } },
    };
    const web = pod('p', {
      labels: { app: 'web' },
      topologySpreadConstraints: [spread],
      nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    });
    const onDemand = {
      key: 'karpenter.sh/capacity-type',
      operator: 'In' as const,
      values: ['on-demand'],
    };
    const choice = choiceFor({ pods: [web], pools: [pool('default', { requirements: [onDemand] })] });
    expect(choice?.narrowings.toSorted((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
      {
        key: 'karpenter.sh/capacity-type',
        requirement: 'karpenter.sh/capacity-type In [on-demand]',
        by: ['nodepool'],
      },
      { key: 'kubernetes.io/arch', requirement: 'kubernetes.io/arch In [amd64]', by: ['pods'] },
      { key: zone, requirement: `${zone} In [a]`, by: ['topology spread'] },
    ]);
  });

  it('distinguishes preferences from requirements', () => {
    const preference = { matchExpressions: [{ key: zone, operator: 'In', values: ['b'] }] };
    const preferring = pod('p', {
      affinity: {
        nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }] },
      },
    });
    expect(choiceFor({ pods: [preferring] })?.narrowings).toMatchObject([{ key: zone, by: ['preferences'] }]);
  });

  it('names the pools with more weight that rejected the pods, and why', () => {
    const taints = [{ key: 'gpu', effect: 'NoSchedule' as const }];
    const pools = [pool('heavy', { weight: 9, taints }), pool('light')];
    expect(choiceFor({ pods: pods(2, 'p'), pools })?.passedOver).toEqual([
      { nodePool: 'heavy', message: 'did not tolerate taint (taint=gpu:NoSchedule)' },
    ]);
  });

  it('agrees with the node in any cluster', () => {
    for (const seed of seeds({ quick: 40, full: 120 })) {
      const { snapshot: cluster, options } = randomCluster(seed);
      for (const node of plan(cluster, options).newNodes)
        expect(contradictions(node), `seed ${seed}`).toEqual([]);
    }
  });
});

function contradictions({ choice, price, instanceTypes }: PlannedNode): readonly string[] {
  const { offering, fill, alternatives, tooSmall, bindingResources } = choice;
  return [
    offering.price === price ? '' : 'another price',
    offering.instanceType === instanceTypes[0] ? '' : 'another type',
    Object.values(fill).every((share) => share > 0 && share <= 1) ? '' : 'fuller than full',
    alternatives.every((other) => other.price >= price) ? '' : 'a cheaper alternative',
    tooSmall === undefined || tooSmall.price <= price ? '' : 'costlier and too small',
    (tooSmall === undefined) === (bindingResources.length === 0) ? '' : 'too small for no reason',
  ].filter((text) => text !== '');
}
