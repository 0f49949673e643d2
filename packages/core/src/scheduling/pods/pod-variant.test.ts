import { instanceType, node, planOptions, pod, pool, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { Vocabulary } from '../../requirements/index.ts';
import { plan, planSteps } from '../plan.ts';
import type { Plan } from '../plan-result.ts';
import { podVariants } from './pod-variant.ts';

const zone = 'topology.kubernetes.io/zone';
const capacityType = 'karpenter.sh/capacity-type';
const arch = 'kubernetes.io/arch';
const type = instanceType('t', { price: 1 });
const soft = { key: 'busy', effect: 'PreferNoSchedule' as const };

const planned = (parts: Parameters<typeof snapshot>[0]) =>
  plan(snapshot({ types: [type], ...parts }), planOptions);
const valuesOf = ({ newNodes }: Plan, key: string) =>
  newNodes.map(({ requirements }) => requirements.find((item) => item.key === key)?.values);

const term = (key: string, ...values: readonly string[]) => ({
  matchExpressions: [{ key, operator: 'In', values }],
});
const preferring = (key: string, ...values: readonly string[]) => ({
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: term(key, ...values) }],
});

describe('relaxation of a pod', () => {
  it('drops alternative required terms before any preference', () => {
    const spotInB = instanceType('spot-in-b', { price: 1, zones: ['b'], capacityTypes: ['spot'] });
    const onDemandInA = instanceType('on-demand-in-a', { price: 1, zones: ['a'] });
    const nodeAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [term(zone, 'a'), term(zone, 'b')],
      },
      ...preferring(capacityType, 'spot'),
    };
    const result = planned({
      pods: [pod('p', { affinity: { nodeAffinity } })],
      types: [spotInB, onDemandInA],
    });
    expect(valuesOf(result, zone)).toEqual([['b']]);
  });

  it('tolerates PreferNoSchedule taints last', () => {
    const pools = [pool('soft', { weight: 9, taints: [soft] }), pool('plain')];
    const zonal = pod('p', { affinity: { nodeAffinity: preferring(zone, 'nowhere') } });
    expect(planned({ pods: [zonal], pools }).newNodes).toMatchObject([{ nodePool: 'plain' }]);
  });

  it('tolerates PreferNoSchedule taints only if some pool has one', () => {
    const nodes = [node('n', { taints: [soft] })];
    const tooLarge = pod('p', { cpu: '4' });
    const types = [instanceType('small', { price: 1, cpu: '1' })];
    expect(planned({ pods: [tooLarge], nodes, types }).placements).toEqual([]);
    const pools = [pool('default', { taints: [soft] })];
    expect(planned({ pods: [tooLarge], nodes, types, pools }).placements).toEqual([
      { node: 'n', pods: ['p'] },
    ]);
  });

  it('tolerates the PreferNoSchedule taint of a pool without types', () => {
    const nodes = [node('n', { taints: [soft] })];
    const requirements = [{ key: arch, operator: 'In' as const, values: ['none'] }];
    const pools = [pool('default'), pool('empty', { taints: [soft], requirements })];
    const types = [instanceType('small', { price: 1, cpu: '1' })];
    expect(planned({ pods: [pod('p', { cpu: '4' })], nodes, types, pools }).placements).toHaveLength(1);
  });

  it('starts again with the unrelaxed pod in the next round', () => {
    const arm = instanceType('arm', { price: 9, arch: 'arm64' });
    const follower = pod('follower', {
      cpu: '2',
      affinity: {
        nodeAffinity: preferring(arch, 'arm64'),
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: zone, labelSelector: { matchLabels: { app: 'leader' } } },
          ],
        },
      },
    });
    const leader = pod('leader', { cpu: '1', labels: { app: 'leader' }, nodeSelector: { [zone]: 'b' } });
    const result = planned({ pods: [follower, leader], types: [type, arm] });
    const own = result.newNodes.find(({ pods }) => pods.includes('follower'));
    expect(own?.requirements).toContainEqual({ key: zone, operator: 'In', values: ['b'] });
    expect(own?.instanceTypes).toEqual(['arm']);
  });
});

describe('relaxation of a pod with many preferences', () => {
  const times = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index));
  const labelSelector = { matchLabels: { app: 'web' } };
  const apart = (count: number) => ({
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: times(count, (index) => ({
        weight: 1 + (index % 100),
        podAffinityTerm: { topologyKey: `example.com/${index}`, labelSelector },
      })),
    },
  });
  const variantsOf = (parts: Parameters<typeof pod>[1]) => [
    ...podVariants(pod('p', parts).spec, {
      vocabulary: new Vocabulary(),
      ignorePreferences: false,
      hasSoftTaints: false,
    }),
  ];
  const countsOf = (parts: Parameters<typeof pod>[1]) =>
    variantsOf(parts).map(({ preferredAntiAffinity }) => preferredAntiAffinity.length);

  it('drops one of a hundred at a time', () => {
    expect(countsOf({ affinity: apart(100) })).toEqual(times(101, (index) => 100 - index));
  });

  it('drops several of ten thousand at a time, the heaviest first', () => {
    expect(countsOf({ affinity: apart(10_000) })).toEqual(times(101, (index) => 10_000 - 100 * index));
    const [, second] = variantsOf({ affinity: apart(10_000) });
    expect(Math.max(...(second?.preferredAntiAffinity ?? []).map(({ weight }) => weight))).toBe(99);
  });

  it('drops several spread constraints that are no requirements, and keeps the others', () => {
    const spread = (whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway') => (index: number) => ({
      topologyKey: `example.com/${index}`,
      maxSkew: 1,
      whenUnsatisfiable,
      labelSelector,
    });
    const topologySpreadConstraints = [
      ...times(1_000, spread('ScheduleAnyway')),
      ...times(2, spread('DoNotSchedule')),
    ];
    const left = variantsOf({ topologySpreadConstraints }).map((variant) => variant.spread.length);
    expect(left).toEqual(times(101, (index) => 1_002 - 10 * index));
  });

  it('tries each of the required terms', () => {
    const nodeSelectorTerms = times(1_000, (index) => term('example.com/rack', `${index}`));
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
    expect(variantsOf({ affinity: { nodeAffinity, ...apart(1_000) } })).toHaveLength(1_000 + 100);
  });

  it('takes a step of the plan for each step of relaxation, so that nobody waits for all of them', () => {
    const steps = planSteps(
      snapshot({ types: [type], pods: [pod('p', { affinity: apart(1_000) })] }),
      planOptions,
    );
    let count = 0;
    while (steps.next().done !== true) count += 1;
    expect(count).toBeGreaterThan(200);
  });
});
