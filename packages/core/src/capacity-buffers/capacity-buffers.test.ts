import { instanceType, node, planOptions, pod, pods, pool, snapshot } from '@karpenter/testkit/snapshots';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CapacityBuffer, CapacityBufferSpec } from '../api/index.ts';
import { plan } from '../scheduling/index.ts';
import { bufferOutcomes, provisioningCondition } from './buffer-outcome.ts';
import { resolveBuffer } from './buffer-resolution.ts';
import { bufferSize } from './buffer-size.ts';
import type { BufferReferences, PodTemplateView } from './buffer-template.ts';

const spec = (parts: Partial<CapacityBufferSpec>): CapacityBufferSpec => ({
  provisioningStrategy: 'buffer.x-k8s.io/active-capacity',
  ...parts,
});
const buffer = (name: string, parts: Partial<CapacityBufferSpec>): CapacityBuffer => ({
  apiVersion: 'autoscaling.x-k8s.io/v1beta1',
  kind: 'CapacityBuffer',
  metadata: { name, namespace: 'shop', uid: `uid-${name}` },
  spec: spec(parts),
});
const template = (cpu: string, rest: Partial<PodTemplateView['spec']> = {}): PodTemplateView => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ resources: { requests: { cpu, memory: '1Gi' } } }], ...rest },
});
const references: BufferReferences = {
  podTemplate: (namespace, name) =>
    `${namespace}/${name}` === 'shop/slot' ? { template: template('1'), generation: 3 } : undefined,
  workload: (kind, namespace, name) =>
    `${kind} ${namespace}/${name}` === 'Deployment shop/web'
      ? { replicas: 10, template: template('2') }
      : undefined,
};
const slot = { podTemplateRef: { name: 'slot' } };
const web = { scalableRef: { kind: 'Deployment', name: 'web' } };

describe('the size of a buffer', () => {
  const size = (parts: Partial<CapacityBufferSpec>, scale?: number, cpu = '500m') =>
    bufferSize(spec(parts), template(cpu), scale);

  it('is the requested number', () => {
    expect(size({ replicas: 3 })).toBe(3);
  });

  it('is the percentage of the workload, rounded up', () => {
    expect(size({ percentage: 20 }, 24)).toBe(5);
    expect(size({ percentage: 1 }, 1)).toBe(1);
    expect(size({ percentage: 0 }, 10)).toBe(0);
    expect(size({ percentage: 50 }, 0)).toBe(0);
  });

  it('is the larger of both', () => {
    expect(size({ replicas: 3, percentage: 20 }, 10)).toBe(3);
    expect(size({ replicas: 1, percentage: 20 }, 10)).toBe(2);
  });

  it('is capped by the limit that is reached first', () => {
    expect(size({ replicas: 9, limits: { cpu: '2', memory: '3Gi' } })).toBe(3);
  });

  it('fills the limits when nothing else is requested', () => {
    expect(size({ limits: { cpu: '2600m' } })).toBe(5);
  });

  it('is not capped by limits on resources that the pods do not request', () => {
    expect(size({ replicas: 2, limits: { 'example.com/gpu': '0' } })).toBe(2);
    expect(size({ limits: { 'example.com/gpu': '4' } })).toBe(0);
  });

  it('never exceeds the limits', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(300), fc.nat(40), fc.nat(20), (replicas, percentage, scale, cpu) => {
        const most = size({ replicas, percentage, limits: { cpu: String(cpu) } }, scale);
        expect(most * 500).toBeLessThanOrEqual(cpu * 1000);
      }),
    );
  });
});

describe('a buffer is resolved', () => {
  it('from a PodTemplate', () => {
    expect(resolveBuffer(buffer('b', { ...slot, replicas: 2 }), references)).toMatchObject({
      name: 'b',
      namespace: 'shop',
      replicas: 2,
      podTemplateRef: { name: 'slot' },
      podTemplateGeneration: 3,
      readyForProvisioning: {
        status: 'True',
        reason: 'Resolved',
        message: 'Pod template resolved successfully',
      },
    });
  });

  it('from a workload and its scale', () => {
    const {
      replicas,
      podTemplateRef,
      pods: virtual,
    } = resolveBuffer(buffer('b', { ...web, percentage: 25 }), references);
    expect({ replicas, podTemplateRef }).toEqual({ replicas: 3, podTemplateRef: undefined });
    expect(virtual[0]?.spec.containers[0]?.resources?.requests).toMatchObject({ cpu: '2' });
  });

  it.each([
    [
      'its PodTemplate is missing',
      { podTemplateRef: { name: 'x' }, replicas: 1 },
      'PodTemplateNotFound',
      'PodTemplate "x" not found',
    ],
    [
      'its workload is missing',
      { scalableRef: { kind: 'ReplicaSet', name: 'x' } },
      'ScalableRefNotFound',
      'ReplicaSet.apps "x" not found',
    ],
    [
      'its workload is of another kind',
      { scalableRef: { kind: 'Job', name: 'x' } },
      'ResolutionFailed',
      'unsupported scalableRef kind /Job',
    ],
    [
      'its workload is of another API',
      { scalableRef: { apiGroup: 'example.com', kind: 'Deployment', name: 'web' } },
      'ResolutionFailed',
      'unsupported scalableRef kind example.com/Deployment',
    ],
    [
      'it refers to nothing',
      { replicas: 1 },
      'ResolutionFailed',
      'Neither podTemplateRef nor scalableRef is set',
    ],
  ])('to no pods when %s', (_, parts, reason, message) => {
    const { readyForProvisioning, pods: virtual } = resolveBuffer(buffer('b', parts), references);
    expect(readyForProvisioning).toEqual({ status: 'False', reason, message });
    expect(virtual).toEqual([]);
  });
});

describe('the pods of a buffer', () => {
  it('have its name, the labels of the template and the lowest priority', () => {
    const { pods: virtual } = resolveBuffer(buffer('b', { ...slot, replicas: 2 }), references);
    expect(virtual).toHaveLength(2);
    expect(virtual[1]).toMatchObject({
      metadata: {
        name: 'capacity-buffer-b-2',
        namespace: 'shop',
        uid: 'uid-b-2',
        labels: { app: 'web' },
        annotations: {
          'karpenter.sh/capacity-buffer-fake-pod': 'true',
          'karpenter.sh/capacity-buffer-name': 'b',
          'karpenter.sh/capacity-buffer-namespace': 'shop',
        },
      },
      spec: { priority: -2147483648 },
      status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
    });
    expect(virtual[1]?.status?.phase).toBeUndefined();
    expect(virtual[0]?.spec).toBe(virtual[1]?.spec);
  });

  it('have no volumes that need a claim', () => {
    const volumes = [
      { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'scratch', ephemeral: {} },
      { name: 'cache' },
    ];
    const { pods: virtual } = resolveBuffer(buffer('b', { ...slot, replicas: 1 }), {
      ...references,
      podTemplate: () => ({ template: template('1', { volumes }) }),
    });
    expect(virtual[0]?.spec.volumes).toEqual([{ name: 'cache' }]);
  });
});

const four = instanceType('four', { price: 1, cpu: '4' });
const resolved = (parts: Partial<CapacityBufferSpec>, name = 'b') =>
  resolveBuffer(buffer(name, parts), references);

describe('a plan with buffers', () => {
  it('keeps room on new nodes for the expected pods', () => {
    const { pods: virtual } = resolved({ ...slot, replicas: 5 });
    const { newNodes } = plan(snapshot({ pods: virtual, types: [four] }), planOptions);
    expect(newNodes.flatMap(({ pods: uids }) => uids)).toHaveLength(5);
  });

  it('gives room on existing nodes to real pods first, however small they are', () => {
    const { pods: virtual } = resolved({ ...web, percentage: 20 });
    const real = pods(4, 'real', { cpu: '1' });
    const { placements } = plan(
      snapshot({ pods: [...virtual, ...real], nodes: [node('n')], pools: [] }),
      planOptions,
    );
    expect(placements).toEqual([{ node: 'n', pods: real.map(({ metadata }) => metadata.uid) }]);
  });

  it('does not count virtual pods for topology of the same workload', () => {
    const { pods: virtual } = resolved({ ...slot, replicas: 2 });
    const [model] = virtual;
    const twin = pod('twin', { namespace: 'shop', labels: { app: 'web' } });
    const real = { ...twin, spec: { ...model?.spec, ...template('1').spec } };
    const { placements } = plan(
      snapshot({
        pods: [...virtual, real],
        nodes: [node('n', { allocatable: { cpu: '1' } })],
        pools: [],
      }),
      planOptions,
    );
    expect(placements).toEqual([{ node: 'n', pods: ['twin'] }]);
  });

  it('spends the limits of a pool on real pods first, even if virtual pods would pack better', () => {
    const { pods: virtual } = resolved({ ...web, percentage: 60 });
    const real = pods(6, 'real', { cpu: '1500m' });
    const pools = [pool('default', { limits: { cpu: '12' } })];
    const types = [four, instanceType('eight', { price: 2, cpu: '8' })];
    const { rejections } = plan(snapshot({ pods: [...virtual, ...real], pools, types }), planOptions);
    expect(rejections.filter(({ pod: uid }) => uid.startsWith('real'))).toEqual([]);
    expect(rejections.length).toBeGreaterThan(0);
  });

  it('moves a buffer to another pool when it has to leave one', () => {
    const { pods: virtual } = resolved({ ...web, percentage: 20 });
    const real = pods(4, 'real', { cpu: '1' });
    const pools = [pool('cheap', { limits: { cpu: '4' }, weight: 10 }), pool('rest')];
    const { newNodes, rejections } = plan(
      snapshot({ pods: [...virtual, ...real], pools, types: [four] }),
      planOptions,
    );
    expect(rejections).toEqual([]);
    expect(newNodes.find(({ nodePool }) => nodePool === 'cheap')?.pods).toHaveLength(4);
  });
});

describe('the outcome of a plan', () => {
  it('counts virtual pods by buffer and by existing node', () => {
    const a = resolved({ ...slot, replicas: 5 }, 'a');
    const b = resolved({ ...web, percentage: 10 }, 'b');
    const all = [...a.pods, ...b.pods, pod('real')];
    const outcome = bufferOutcomes(all, {
      placements: [{ node: 'n', pods: ['uid-a-1', 'uid-a-2', 'real'] }],
      newNodes: [{ pods: ['uid-a-3', 'uid-b-1'] }],
      rejections: [{ pod: 'uid-a-4', reasons: [], message: 'no' }],
    });
    expect(outcome.byBuffer).toEqual(
      new Map([
        ['shop/a', { onExisting: 2, onNew: 1, failed: 1 }],
        ['shop/b', { onExisting: 0, onNew: 1, failed: 0 }],
      ]),
    );
    expect(outcome.byNode).toEqual(new Map([['n', 2]]));
  });

  const ready = resolved({ ...slot, replicas: 3 });

  it.each([
    [
      'requires new capacity',
      ready,
      { onExisting: 0, onNew: 2, failed: 1 },
      'False',
      'RequiresNewCapacity',
      '2/3 virtual pods required new capacity, 1 failed',
    ],
    [
      'fits',
      ready,
      { onExisting: 3, onNew: 0, failed: 0 },
      'True',
      'FitsExistingCapacity',
      'All 3 virtual pods fit on existing capacity',
    ],
    [
      'is empty',
      resolved({ ...slot, replicas: 0 }),
      undefined,
      'False',
      'BufferEmpty',
      'Buffer has zero desired replicas',
    ],
    [
      'is not resolved',
      resolved({ podTemplateRef: { name: 'x' }, replicas: 1 }),
      undefined,
      'False',
      'NotReadyForProvisioning',
      'Buffer is not ReadyForProvisioning',
    ],
  ] as const)('says when a buffer %s', (_, buffered, outcome, status, reason, message) => {
    expect(provisioningCondition(buffered, outcome)).toEqual({ status, reason, message });
  });

  it("keeps the condition when the plan covers none or only some of a buffer's pods", () => {
    expect(provisioningCondition(ready, undefined)).toBeUndefined();
    expect(provisioningCondition(ready, { onExisting: 2, onNew: 0, failed: 0 })).toBeUndefined();
  });
});
