import { instanceType, type PoolParts, pool } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { coreLabelPolicy } from '../api/index.ts';
import { requirementPolicy } from '../requirements/index.ts';
import { nodeClaimFor, staticNodeClaim } from './index.ts';

const policy = requirementPolicy(coreLabelPolicy);
const planned = { requirements: [], instanceTypes: ['b', 'a'], requests: { cpu: '1' } };
const source = (parts: PoolParts = {}, name = 'default') => ({
  nodePool: { ...pool(name, parts), metadata: { name, uid: 'uid-1' } },
  instanceTypes: [],
  policy,
  suffix: 'x7k2p',
});

const instanceTypes = 'node.kubernetes.io/instance-type';
const typesOf = (claim: ReturnType<typeof nodeClaimFor>) =>
  claim.spec.requirements.find(({ key }) => key === instanceTypes);

describe('a NodeClaim for a planned node', () => {
  it('is named after its NodePool, which owns it and blocks its deletion', () => {
    const { metadata } = nodeClaimFor(planned, source());
    expect(metadata.name).toBe('default-x7k2p');
    expect(metadata.generateName).toBe('default-');
    expect(metadata.ownerReferences).toEqual([
      {
        apiVersion: 'karpenter.sh/v1',
        kind: 'NodePool',
        name: 'default',
        uid: 'uid-1',
        blockOwnerDeletion: true,
      },
    ]);
  });

  it('has a name that fits a host name even if the pool has a long name', () => {
    const { metadata } = nodeClaimFor(planned, source({}, 'p'.repeat(63)));
    expect(metadata.name).toBe(`${'p'.repeat(58)}x7k2p`);
  });

  it('lists the cheapest 600 types, sorted by name', () => {
    const names = Array.from({ length: 700 }, (_, index) => `type-${String(699 - index).padStart(3, '0')}`);
    const values = typesOf(nodeClaimFor({ ...planned, instanceTypes: names }, source()))?.values ?? [];
    expect(values).toHaveLength(600);
    expect(values[0]).toBe('type-100');
    expect(values.at(-1)).toBe('type-699');
  });

  it('keeps minValues of the instance type and drops its other requirements', () => {
    const asked = { key: instanceTypes, operator: 'NotIn' as const, values: ['c'], minValues: 2 } as const;
    expect(typesOf(nodeClaimFor({ ...planned, requirements: [asked] }, source()))).toEqual({
      key: instanceTypes,
      operator: 'In' as const,
      values: ['a', 'b'],
      minValues: 2,
    });
  });

  it('has a label for every custom requirement, and none for well-known or restricted ones', () => {
    const requirements = [
      { key: 'example.com/rank', operator: 'Gte' as const, values: ['5'] },
      { key: 'example.com/team', operator: 'In' as const, values: ['b', 'a'] },
      { key: 'example.com/absent', operator: 'DoesNotExist' as const },
      { key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: ['a'] },
    ] as const;
    expect(nodeClaimFor({ ...planned, requirements }, source()).metadata.labels).toEqual({
      'example.com/rank': '5',
      'example.com/team': 'a',
      'karpenter.k8s.aws/ec2nodeclass': 'default',
      'karpenter.sh/nodepool': 'default',
    });
  });

  it('has the labels, annotations, taints and durations of the template', () => {
    const taint = { key: 'gpu', effect: 'NoSchedule' } as const;
    const base = source({ labels: { team: 'a' }, taints: [taint], startupTaints: [taint] });
    const { template } = base.nodePool.spec;
    const nodePool = {
      ...base.nodePool,
      spec: {
        ...base.nodePool.spec,
        template: {
          metadata: { ...template.metadata, annotations: { note: 'n' } },
          spec: { ...template.spec, terminationGracePeriod: '1h', expireAfter: 'Never' },
        },
      },
    };
    const { metadata, spec } = nodeClaimFor(planned, { ...base, nodePool });
    expect(metadata.labels).toMatchObject({ team: 'a' });
    expect(metadata.annotations).toMatchObject({ note: 'n', 'karpenter.sh/nodepool-hash-version': 'v3' });
    expect(spec).toMatchObject({
      taints: [taint],
      startupTaints: [taint],
      terminationGracePeriod: '1h',
      expireAfter: 'Never',
      resources: { requests: { cpu: '1' } },
    });
  });

  it('records whether minValues were relaxed', () => {
    const required = {
      key: 'kubernetes.io/arch',
      operator: 'In' as const,
      values: ['amd64', 'arm64'],
      minValues: 2,
    };
    const relaxed = (minValues?: number) => {
      const requirement = { key: required.key, operator: 'In' as const, values: ['amd64'] };
      const requirements = [minValues === undefined ? requirement : { ...requirement, minValues }];
      const { annotations } = nodeClaimFor(
        { ...planned, requirements },
        source({ requirements: [required] }),
      ).metadata;
      return annotations?.['karpenter.sh/nodeclaim-min-values-relaxed'];
    };
    expect(relaxed(2)).toBe('false');
    expect(relaxed(1)).toBe('true');
    expect(relaxed()).toBe('true');
  });

  it('names the drivers of the devices that its pods claim', () => {
    const { metadata } = nodeClaimFor(
      { ...planned, drivers: ['gpu.example.com', 'nic.example.com'] },
      source(),
    );
    expect(metadata.annotations?.['karpenter.sh/requested-dra-drivers']).toBe(
      'gpu.example.com,nic.example.com',
    );
  });

  it('names the overlays applied to its own types', () => {
    const priced = instanceType('a', { price: 1 });
    const offerings = priced.offerings.map((offering) => ({ ...offering, hasPriceOverlay: true }));
    const sized = { ...instanceType('other', { price: 1 }), hasCapacityOverlay: true };
    const types = [{ ...priced, offerings }, sized];
    const { annotations } = nodeClaimFor(planned, { ...source(), instanceTypes: types }).metadata;
    expect(annotations).toMatchObject({ 'karpenter.sh/price-overlay-applied': 'true' });
    expect(annotations).not.toHaveProperty('karpenter.sh/capacity-overlay-applied');
  });
});

describe('a NodeClaim of a static NodePool', () => {
  it('has the requirements of the pool, and neither instance types nor requests', () => {
    const requirements = [{ key: 'kubernetes.io/arch', operator: 'In' as const, values: ['amd64'] }];
    const { spec, metadata } = staticNodeClaim(source({ requirements, replicas: 3 }));
    expect(spec.requirements).toEqual([
      { key: 'karpenter.k8s.aws/ec2nodeclass', operator: 'In' as const, values: ['default'] },
      { key: 'karpenter.sh/nodepool', operator: 'In' as const, values: ['default'] },
      { key: 'kubernetes.io/arch', operator: 'In' as const, values: ['amd64'] },
    ]);
    expect(spec).not.toHaveProperty('resources');
    expect(metadata.annotations).not.toHaveProperty('karpenter.sh/nodeclaim-min-values-relaxed');
  });
});
