import { instanceType, node, planOptions, pod, pods, pool, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { plan } from './plan.ts';
import type { Plan } from './plan-result.ts';

const zone = 'topology.kubernetes.io/zone';
const typeKey = 'node.kubernetes.io/instance-type';
const small = instanceType('small', { price: 1, cpu: '2', memory: '8Gi' });
const middle = instanceType('middle', { price: 1.9, cpu: '4', memory: '16Gi' });
const large = instanceType('large', { price: 3.5, cpu: '8', memory: '32Gi' });

const planned = (parts: Parameters<typeof snapshot>[0]) => plan(snapshot(parts), planOptions);
const rejected = ({ rejections }: Plan) => rejections.map(({ pod: uid }) => uid);
const typesOf = ({ newNodes }: Plan) => newNodes.map(({ instanceTypes }) => instanceTypes);

describe('limits', () => {
  const requirements = [{ key: typeKey, operator: 'Exists' as const, minValues: 2 }];

  it('count the larger types that minValues adds', () => {
    const enough = [pool('p', { requirements, limits: { cpu: '4' } })];
    expect(typesOf(planned({ pods: [pod('a')], types: [small, middle, large], pools: enough }))).toEqual([
      ['small', 'middle'],
    ]);
    const tight = [pool('p', { requirements, limits: { cpu: '3' } })];
    expect(rejected(planned({ pods: [pod('a')], types: [small, middle], pools: tight }))).toEqual(['a']);
  });

  it('reject no pod if they allow one more node for it', () => {
    const kinds = [
      ...pods(3, 'big', { cpu: '3' }),
      ...pods(3, 'flat', { cpu: '1', memory: '6Gi' }),
      ...pods(4, 'thin', { cpu: '500m' }),
    ];
    const result = planned({
      pods: kinds,
      types: [small, middle],
      pools: [pool('p', { limits: { cpu: '14' } })],
    });
    const cpus = (name: string | undefined) => (name === 'small' ? 2 : 4);
    const left = result.newNodes.reduce((sum, { instanceTypes: [name] }) => sum - cpus(name), 14);
    const couldStay = (uid: string) => left >= (uid.startsWith('big') ? 4 : 2);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(rejected(result).filter(couldStay)).toEqual([]);
  });

  it('are saved if they are short, at a higher price', () => {
    const four = instanceType('four', { price: 2, cpu: '3800m', memory: '8Gi' });
    const two = instanceType('two', { price: 1, cpu: '1800m', memory: '4Gi' });
    const kinds = [
      ...pods(2, 'port', { cpu: '2', memory: '128Mi', ports: [80] }),
      pod('flat', { cpu: '500m', memory: '6Gi' }),
      ...pods(2, 'plain', { cpu: '1', memory: '2Gi' }),
    ];
    const pools = [pool('p', { limits: { memory: '22Gi' } })];
    expect(rejected(planned({ pods: kinds, types: [four, two], pools }))).toEqual([]);
  });

  it('that are used up by preferred nodes leave pods the nodes they accept', () => {
    const preferred = [
      { weight: 1, preference: { matchExpressions: [{ key: typeKey, operator: 'In', values: ['large'] }] } },
    ];
    const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } };
    const result = planned({
      pods: pods(3, 'p', { cpu: '5', affinity }),
      types: [large, instanceType('odd', { price: 9, cpu: '6' })],
      pools: [pool('p', { limits: { cpu: '22' } })],
    });
    expect(result.rejections).toEqual([]);
  });
});

describe('weight', () => {
  it('decides which pool creates a node, not which node a pod joins', () => {
    const pools = [
      pool('heavy', { weight: 10, taints: [{ key: 'dedicated', effect: 'NoSchedule' }] }),
      pool('light'),
    ];
    const result = planned({
      pods: [pod('plain', { cpu: '3' }), pod('joining', { tolerations: [{ operator: 'Exists' }] })],
      types: [middle],
      pools,
    });
    expect(result.newNodes).toMatchObject([{ nodePool: 'light', pods: ['plain', 'joining'] }]);
  });
});

describe('preferences', () => {
  it('that contradict a requirement do not allow nodes without the label', () => {
    const required = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'team', operator: 'Exists' }] }] };
    const preferred = {
      weight: 1,
      preference: { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['a'] }] },
    };
    const affinity = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: required,
        preferredDuringSchedulingIgnoredDuringExecution: [preferred],
      },
    };
    const choosy = pod('p', { affinity });
    expect(rejected(planned({ pods: [choosy], types: [small], nodes: [node('n')] }))).toEqual(['p']);
    const pools = [pool('b', { labels: { team: 'b' } })];
    expect(rejected(planned({ pods: [choosy], types: [small], pools }))).toEqual([]);
  });
});

describe('a spread', () => {
  it('that differs from another in minDomains is a group of its own', () => {
    const common = { topologyKey: zone, maxSkew: 1, labelSelector: { matchLabels: { app: 'a' } } };
    const spread = [
      { ...common, whenUnsatisfiable: 'DoNotSchedule' },
      { ...common, whenUnsatisfiable: 'DoNotSchedule', minDomains: 4 },
    ];
    const parts = { labels: { app: 'a' }, topologySpreadConstraints: spread };
    expect(rejected(planned({ pods: pods(5, 'p', parts), types: [small] }))).toHaveLength(2);
  });
});

describe('affinity', () => {
  it('knows the domains of pools that any of its pods tolerates, not only the first pod', () => {
    const term = { topologyKey: zone, labelSelector: { matchLabels: { app: 'a' } } };
    const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const labels = { app: 'a' };
    const pools = [pool('p', { taints: [{ key: 'dedicated', effect: 'NoSchedule' }] })];
    const result = planned({
      pods: [
        pod('intolerant', { cpu: '2', labels, affinity }),
        pod('tolerant', { labels, affinity, tolerations: [{ operator: 'Exists' }] }),
      ],
      types: [small],
      pools,
    });
    expect(rejected(result)).toEqual(['intolerant']);
  });
});

describe('existing nodes', () => {
  it('are not overcommitted by pods that request a resource they lack', () => {
    const nodes = [node('n', { podRequests: { 'example.com/gpu': '1' } })];
    const gpu = pod('gpu', { extra: { 'example.com/gpu': '1' } });
    expect(planned({ pods: [pod('p'), gpu], types: [], nodes }).placements).toEqual([
      { node: 'n', pods: ['p'] },
    ]);
  });

  it('keep no room for daemons that do not tolerate their PreferNoSchedule taints', () => {
    const nodes = [
      node('n', { taints: [{ key: 'slow', effect: 'PreferNoSchedule' }], allocatable: { cpu: '1' } }),
    ];
    const daemonPods = [pod('daemon', { cpu: '500m' })];
    const tolerant = pod('p', { tolerations: [{ operator: 'Exists' }] });
    expect(planned({ pods: [tolerant], types: [], nodes, daemonPods }).placements).toHaveLength(1);
  });
});
