import type { Json } from '@karpenter/core/schema';
import { describe, expect, it } from 'vitest';
import { scenarioSimulation } from './scenario-snapshot.ts';

const origin = { file: 's.json', document: 1 };
const read = (value: Json) => scenarioSimulation(value, origin, { policies: {}, clock: { now: () => 7 } });

const nodePool = (name: string) => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name },
  spec: {
    template: {
      spec: {
        requirements: [],
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
      },
    },
  },
});

const running = (cpu: string) => ({ containers: [{ name: 'main', resources: { requests: { cpu } } }] });

const { snapshot, options, source } = read({
  instanceTypes: [
    {
      name: 'm.large',
      labels: { 'kubernetes.io/arch': 'arm64', 'karpenter.k8s.aws/instance-colour': 'red', size: 'x' },
      capacity: { cpu: '2' },
      overhead: { cpu: '70m' },
      offerings: [
        { zone: 'b', capacityType: 'spot', price: 0.1, available: false },
        { zone: 'a', capacityType: 'on-demand', price: 0.3 },
        { zone: 'a', capacityType: 'spot', price: 0.2 },
      ],
    },
  ],
  nodePools: [nodePool('one'), nodePool('two')],
  pods: [
    { count: 1, pod: { spec: running('1') } },
    { count: 2, pod: { metadata: { namespace: 'shop', labels: { app: 'x' } }, spec: running('1') } },
  ],
  nodes: [
    {
      metadata: { name: 'n', labels: { a: 'b' } },
      spec: { taints: [{ key: 't', effect: 'NoSchedule' }] },
      status: { capacity: { cpu: '4' }, allocatable: { cpu: '3' } },
    },
  ],
  boundPods: [{ metadata: { name: 'b' }, spec: { nodeName: 'n', ...running('250m') } }],
  daemonPods: [{ metadata: { name: 'd', namespace: 'kube-system' }, spec: running('50m') }],
});

describe('a scenario', () => {
  it('names pods by group and number; their uid is the name', () => {
    expect(snapshot.pods.map(({ metadata: { name, namespace, uid } }) => [name, namespace, uid])).toEqual([
      ['p-0-0', 'default', 'p-0-0'],
      ['p-1-0', 'shop', 'p-1-0'],
      ['p-1-1', 'shop', 'p-1-1'],
    ]);
  });

  it('lets the pods of a group share spec and labels', () => {
    const [, first, second] = snapshot.pods;
    expect(first?.spec).toBe(second?.spec);
    expect(first?.metadata.labels).toBe(second?.metadata.labels);
  });

  it('turns labels, zones and capacity types of an instance type into requirements', () => {
    const [type] = snapshot.instanceTypes.get('one') ?? [];
    expect(type).toEqual({
      name: 'm.large',
      requirements: [
        { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] },
        { key: 'karpenter.k8s.aws/instance-colour', operator: 'In', values: ['red'] },
        { key: 'size', operator: 'In', values: ['x'] },
        { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m.large'] },
        { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a', 'b'] },
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand', 'spot'] },
      ],
      capacity: { cpu: '2' },
      overhead: { kubeReserved: { cpu: '70m' } },
      offerings: [
        { requirements: place('b', 'spot'), price: 0.1, available: false },
        { requirements: place('a', 'on-demand'), price: 0.3, available: true },
        { requirements: place('a', 'spot'), price: 0.2, available: true },
      ],
    });
  });

  it('offers the same instance types to every NodePool', () => {
    expect(snapshot.instanceTypes.get('one')).toBe(snapshot.instanceTypes.get('two'));
  });

  it('counts the requests of bound pods on their nodes', () => {
    expect(snapshot.nodes).toEqual([
      {
        name: 'n',
        labels: { a: 'b' },
        taints: [{ key: 't', effect: 'NoSchedule' }],
        initialized: true,
        deleting: false,
        capacity: { cpu: '4' },
        allocatable: { cpu: '3' },
        podRequests: { cpu: '250m', pods: '1' },
        daemonRequests: {},
      },
    ]);
    expect(snapshot.boundPods.map(({ metadata, nodeName }) => [metadata.name, nodeName])).toEqual([
      ['b', 'n'],
    ]);
    expect(snapshot.daemonPods.map(({ metadata }) => metadata.namespace)).toEqual(['kube-system']);
  });

  it('treats labels of the AWS domain as well known, and no others', () => {
    expect(options.wellKnownLabels.has('karpenter.k8s.aws/instance-colour')).toBe(true);
    expect(options.wellKnownLabels.has('karpenter.k8s.aws/instance-category')).toBe(true);
    expect(options.wellKnownLabels.has('size')).toBe(false);
  });

  it('has its file as source and the time of the run', () => {
    expect([source, snapshot.at]).toEqual(['s.json', 7]);
  });
});

function place(zone: string, capacityType: string) {
  return [
    { key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: [capacityType] },
  ];
}
