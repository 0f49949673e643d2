import { instanceType, node, planOptions, pod, pods, pool, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { plan } from '../plan.ts';

const small = instanceType('small', { price: 1, cpu: '2' });
const large = instanceType('large', { price: 5, cpu: '8' });

const planned = (parts: Parameters<typeof snapshot>[0]) => plan(snapshot(parts), planOptions);

interface Rejected {
  readonly pool: Parameters<typeof pool>[1];
  readonly pod?: Parameters<typeof pod>[1];
  readonly types: readonly (typeof small)[];
}

/** The advice for a pod that a plan rejects. */
function advice({ pool: fields, pod: shape, types }: Rejected): string | undefined {
  const [rejection] = planned({
    pods: [pod('p', shape)],
    pools: [pool('default', fields)],
    types,
  }).rejections;
  return rejection?.reasons[0]?.advice;
}

describe('a pool whose limits leave room for a part of the pods', () => {
  const of = (name: string) => [
    { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: [name] },
  ];
  const compute = instanceType('compute', { price: 1, cpu: '4', memory: '8Gi' });
  const general = instanceType('general', { price: 2, cpu: '4', memory: '16Gi' });
  const lean = pods(4, 'lean', { cpu: '1', memory: '1800Mi' });
  const fat = pods(4, 'fat', { cpu: '1', memory: '4Gi' });
  const heavy = pool('heavy', { weight: 9, limits: { cpu: '4' }, requirements: of('compute') });
  const light = pool('light', { requirements: of('general') });

  it('gets the pods that would cost most in lighter pools', () => {
    const { newNodes, rejections } = planned({
      pods: [...fat, ...lean],
      pools: [heavy, light],
      types: [compute, general],
    });
    expect(rejections).toEqual([]);
    const onHeavy = newNodes.find(({ nodePool }) => nodePool === 'heavy');
    expect([...(onHeavy?.pods ?? [])].sort()).toEqual(lean.map(({ metadata }) => metadata.uid).sort());
    expect(newNodes.reduce((sum, { price }) => sum + price, 0)).toBe(3);
  });
});

describe('a pool whose limits leave room for one more node', () => {
  const onlyHeavy = { cpu: '2', nodeSelector: { role: 'heavy' } };
  const required = [
    ...pods(5, 'a', { ...onlyHeavy, memory: '3Gi' }),
    pod('b', { ...onlyHeavy, memory: '2Gi' }),
  ];
  const heavy = pool('heavy', { weight: 9, limits: { cpu: '16' }, labels: { role: 'heavy' } });
  const type = instanceType('four', { price: 1, cpu: '4', memory: '32Gi' });

  it('gets pods that went to a lighter one because, packed with them, others found no room', () => {
    const { newNodes, rejections } = planned({
      pods: [...required, ...pods(5, 'any', { cpu: '3', memory: '8Gi' })],
      pools: [heavy, pool('light')],
      types: [type],
    });
    expect(rejections).toEqual([]);
    expect(newNodes.filter(({ nodePool }) => nodePool === 'heavy')).toHaveLength(4);
  });
});

describe('limits of a pool', () => {
  it('are charged for the types that are chosen, not for the largest possible ones', () => {
    const result = planned({
      pods: pods(8, 'p'),
      pools: [pool('default', { limits: { cpu: '8' } })],
      types: [small, large],
    });
    expect(result.rejections).toEqual([]);
  });

  it('exclude types that would not leave enough for the other nodes', () => {
    const apart = [pod('a', { ports: [80] }), pod('b', { ports: [80] })];
    const typesWithin = (cpu: string) =>
      planned({
        pods: apart,
        pools: [pool('default', { limits: { cpu } })],
        types: [small, large],
      }).newNodes.map(({ instanceTypes }) => instanceTypes);
    expect(typesWithin('9')).toEqual([['small'], ['small']]);
    expect(typesWithin('10')).toEqual([['small', 'large'], ['small']]);
    expect(typesWithin('16')).toEqual([
      ['small', 'large'],
      ['small', 'large'],
    ]);
  });

  it('on a device exclude types with an uncounted part of it, even if nothing of the limit is used', () => {
    const gpu = 'example.com/gpu';
    const sliced = { ...small, partialDevices: [gpu] };
    const counted = { ...sliced, capacity: { ...small.capacity, [gpu]: '1' } };
    const typesFor = (type: typeof small, limits: Readonly<Record<string, string>>) =>
      planned({ pods: [pod('p')], pools: [pool('default', { limits })], types: [type] }).newNodes.length;
    expect(typesFor(sliced, { [gpu]: '8' })).toBe(0);
    expect(typesFor(sliced, { cpu: '8' })).toBe(1);
    expect(typesFor(small, { [gpu]: '0' })).toBe(1);
    expect(typesFor(counted, { [gpu]: '1' })).toBe(1);
    expect(typesFor(counted, { [gpu]: '0' })).toBe(0);
  });

  it('that are too low are advised to be raised', () => {
    const adviceFor = (cpu: string, selector: Readonly<Record<string, string>> = {}) =>
      advice({ pool: { limits: { cpu } }, pod: { cpu: '4', nodeSelector: selector }, types: [small, large] });
    expect(adviceFor('1')).toBe('raise the limits of nodepool default');
    expect(adviceFor('4')).toBe('raise the limits of nodepool default');
    expect(adviceFor('4', { 'node.kubernetes.io/instance-type': 'large' })).toBe(
      'raise the limits of nodepool default',
    );
  });

  it('on a device are advised to be removed where they exclude a type for its part of the device', () => {
    const gpu = 'example.com/gpu';
    const sliced = { ...small, partialDevices: [gpu] };
    const selector = { 'node.kubernetes.io/instance-type': 'small' };
    const limits = { [gpu]: '4' };
    const removal =
      'remove the limit on example.com/gpu of nodepool default, which cannot count the part of a device that instance type small has, or allow types with whole devices';
    expect(advice({ pool: { limits }, types: [sliced] })).toBe(removal);
    expect(advice({ pool: { limits }, pod: { nodeSelector: selector }, types: [sliced, large] })).toBe(
      removal,
    );
    expect(advice({ pool: { limits: { ...limits, nodes: '0' } }, types: [sliced, large] })).toBe(
      'raise the limits of nodepool default',
    );
  });

  it('on the number of nodes hold within one plan', () => {
    const pools = [pool('default', { limits: { nodes: '2' } })];
    const result = planned({ pods: pods(6, 'p'), pools, types: [small] });
    expect(result.newNodes).toHaveLength(2);
    expect(result.rejections).toHaveLength(2);
  });

  it('on the number of nodes give different messages when they are reached and when they are exceeded', () => {
    const full = { podRequests: { cpu: '4' }, nodePool: 'default' };
    const messageWith = (...names: readonly string[]) =>
      planned({
        pods: [pod('p')],
        pools: [pool('default', { limits: { nodes: '1' } })],
        nodes: names.map((name) => node(name, full)),
        types: [small],
      }).rejections[0]?.message;
    expect(messageWith('a')).toBe('node limits have been exhausted for nodepool (NodePool=default)');
    expect(messageWith('a', 'b')).toBe(
      'all available instance types exceed limits for nodepool (NodePool=default)',
    );
  });

  it.each(['general', 'zonal'])(
    'leave their nodes to pods that fit in no other pool, beside a pool named %s',
    (other) => {
      const size = { cpu: '600m' };
      const result = planned({
        pods: [
          ...pods(6, 'web', { ...size, memory: '1Gi' }),
          ...pods(2, 'steady', { ...size, nodeSelector: { role: 'steady' } }),
        ],
        pools: [
          pool('steady', { limits: { nodes: '2' }, labels: { role: 'steady' } }),
          pool(other, { limits: { nodes: '8' } }),
        ],
        types: [small],
      });
      expect(result.rejections).toEqual([]);
      expect(result.newNodes).toHaveLength(3);
    },
  );
});
