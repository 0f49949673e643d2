import { instanceType, node, planOptions, pod, pool, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { plan } from '../plan.ts';

const small = instanceType('small', { price: 1, cpu: '2', memory: '8Gi' });

function messageFor(
  given: Parameters<typeof pod>[1],
  parts: Omit<Parameters<typeof snapshot>[0], 'pods'> = {},
): string | undefined {
  const { rejections } = plan(snapshot({ types: [small], ...parts, pods: [pod('p', given)] }), planOptions);
  return rejections[0]?.message;
}

const requirements =
  'requirements=karpenter.k8s.aws/ec2nodeclass In [default], karpenter.sh/initialized In [true], karpenter.sh/nodepool In [default], karpenter.sh/registered In [true]';

describe('the reason for a rejection', () => {
  it('names each taint that is not tolerated, pool by pool', () => {
    const pools = [
      pool('a', { taints: [{ key: 'gpu', value: 'x', effect: 'NoSchedule' }] }),
      pool('b', { taints: [{ key: 'dedicated', effect: 'NoExecute' }] }),
    ];
    expect(messageFor({}, { pools })).toBe(
      'did not tolerate taint (taint=gpu=x:NoSchedule); did not tolerate taint (taint=dedicated:NoExecute)',
    );
  });

  it('names a label without known values', () => {
    expect(messageFor({ nodeSelector: { team: 'a' } })).toBe(
      'incompatible requirements, label "team" does not have known values',
    );
  });

  it('suggests the label that may have been meant', () => {
    expect(messageFor({ nodeSelector: { zone: 'a' } })).toBe(
      'incompatible requirements, label "zone" does not have known values (typo of "topology.kubernetes.io/zone"?)',
    );
  });

  it('shows both sides of a requirement that the pool contradicts', () => {
    const pools = [pool('default', { labels: { team: 'b' } })];
    expect(messageFor({ nodeSelector: { team: 'a' } }, { pools })).toBe(
      'incompatible requirements, key team, team In [a] not in team In [b]',
    );
  });

  it('says that no type is large enough, with the requests', () => {
    expect(messageFor({ cpu: '3' })).toBe(
      `no instance type has enough resources, ${requirements}, resources={"cpu":"3","memory":"1Gi","pods":"1"}`,
    );
  });

  it('includes daemon overhead in the requests', () => {
    const daemonPods = [pod('daemon', { cpu: '1500m' })];
    expect(messageFor({}, { daemonPods })).toContain('resources={"cpu":"2500m","memory":"2Gi","pods":"2"}');
  });

  it('suggests a typo if a pod requests millions of cores', () => {
    expect(messageFor({ cpu: '2000000' })).toContain(
      'no instance type has enough resources (CPU request >= 1 Million, m vs M typo?), ',
    );
  });

  it('says which checks no type passed, alone or together', () => {
    expect(messageFor({ nodeSelector: { 'kubernetes.io/arch': 'arm64' } })).toMatch(
      /^no instance type met all requirements, /,
    );
    expect(messageFor({ cpu: '9', nodeSelector: { 'kubernetes.io/arch': 'arm64' } })).toMatch(
      /^no instance type met the scheduling requirements or had enough resources, /,
    );
    expect(messageFor({ nodeSelector: { 'topology.kubernetes.io/zone': 'z' } })).toMatch(
      /^no instance type met the scheduling requirements or had enough resources or had a required offering, /,
    );
  });

  it('says that the limits allow no type', () => {
    expect(messageFor({}, { pools: [pool('default', { limits: { cpu: '1' } })] })).toBe(
      'all available instance types exceed limits for nodepool (NodePool=default)',
    );
    expect(messageFor({}, { pools: [pool('default', { limits: { nodes: '0' } })] })).toBe(
      'node limits have been exhausted for nodepool (NodePool=default)',
    );
  });

  it('says that the requirements of the pools exclude all types', () => {
    const pools = [
      pool('default', { requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }] }),
    ];
    expect(messageFor({}, { pools })).toBe('nodepool requirements filtered out all available instance types');
  });

  it('lists the failed checks of each pool', () => {
    const { rejections } = plan(snapshot({ types: [small], pods: [pod('p', { cpu: '3' })] }), planOptions);
    expect(rejections[0]?.reasons).toMatchObject([{ nodePool: 'default', failed: ['resources'] }]);
  });
});

describe('the advice with a rejection', () => {
  const adviceFor = (
    given: Parameters<typeof pod>[1],
    parts: Omit<Parameters<typeof snapshot>[0], 'pods'> = {},
  ) =>
    plan(snapshot({ types: [small], ...parts, pods: [pod('p', given)] }), planOptions).rejections[0]
      ?.reasons[0]?.advice;

  it('names the toleration that is missing', () => {
    const pools = [pool('default', { taints: [{ key: 'gpu', value: 'x', effect: 'NoSchedule' }] })];
    expect(adviceFor({}, { pools })).toBe('let the pod tolerate gpu=x:NoSchedule');
  });

  it('names the closest instance type and how much it holds', () => {
    expect(adviceFor({ cpu: '3' })).toBe(
      'the closest instance type, small, holds at most 2 cpu; request less or allow larger types',
    );
    expect(adviceFor({ memory: '10Gi' })).toBe(
      'the closest instance type, small, holds at most 8Gi memory; request less or allow larger types',
    );
  });

  it('names the one requirement without which a type would do', () => {
    expect(adviceFor({ nodeSelector: { 'kubernetes.io/arch': 'arm64' } })).toBe(
      'without the requirement on kubernetes.io/arch, instance type small would do',
    );
  });

  it('distinguishes an unavailable type from one that does not exist', () => {
    const gone = instanceType('gone', {
      price: 1,
      cpu: '8',
      unavailable: ['a/on-demand', 'b/on-demand', 'c/on-demand'],
    });
    const spare = instanceType('spare', {
      price: 9,
      cpu: '8',
      labels: { class: 'spare' },
      unavailable: ['a/on-demand'],
    });
    const inA = { cpu: '4', nodeSelector: { 'topology.kubernetes.io/zone': 'a' } };
    expect(adviceFor(inA, { types: [gone, spare] })).toBe(
      'without the requirement on topology.kubernetes.io/zone, instance type spare would do',
    );
  });

  it('names the pool whose limits are too low', () => {
    expect(adviceFor({}, { pools: [pool('default', { limits: { cpu: '1' } })] })).toBe(
      'raise the limits of nodepool default',
    );
  });

  it('names the labels on which pod and pool disagree', () => {
    expect(adviceFor({ nodeSelector: { team: 'a' } })).toBe(
      'let nodepool default allow what the pod asks of team, or the pod ask for something else',
    );
  });
});

describe('a pod that requests a thousand resources', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `example.com/${index}`);
  const requesting = (amount: string) => Object.fromEntries(names.map((name) => [name, amount]));
  const planned = (
    given: Parameters<typeof pod>[1],
    parts: Omit<Parameters<typeof snapshot>[0], 'pods'> = {},
  ) => plan(snapshot({ types: [small], ...parts, pods: [pod('p', given)] }), planOptions);

  it('is rejected with advice that names a resource which nothing has', () => {
    const [rejection] = planned({ extra: requesting('1') }).rejections;
    expect(rejection?.message).toContain('no instance type has enough resources');
    expect(rejection?.message).toContain('"example.com/999":"1"');
    expect(rejection?.reasons[0]?.advice).toBe(
      'no node and no instance type has example.com/0 nor 999 others that the pod requests; request resources that exist',
    );
  });

  it('gets a node if it requests zero of those that nothing has', () => {
    expect(planned({ extra: requesting('0') }).newNodes).toHaveLength(1);
  });

  it('gets a node of the type that has them all', () => {
    const large = instanceType('large', { price: 9, extra: requesting('2') });
    const { newNodes } = planned({ extra: requesting('1') }, { types: [small, large] });
    expect(newNodes).toMatchObject([{ instanceTypes: ['large'] }]);
  });

  it('goes to the node that has them all', () => {
    const nodes = [node('plain'), node('special', { allocatable: requesting('1') })];
    expect(planned({ extra: requesting('1') }, { nodes }).placements).toEqual([
      { node: 'special', pods: ['p'] },
    ]);
  });
});
