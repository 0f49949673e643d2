import { instanceType, node, planOptions, pod, pool, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { plan } from '../plan.ts';
import type { Plan } from '../plan-result.ts';

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
