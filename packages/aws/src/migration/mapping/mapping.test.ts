import { describe, expect, it } from 'vitest';
import { parseFlags } from '../autoscaler/autoscaler-flags.ts';
import { autoscalerSettings } from '../autoscaler/autoscaler-settings.ts';
import type { SourceGroup } from '../source/source-group.ts';
import { type MappedGroup, mapGroup } from './migration-manifests.ts';

const plain: SourceGroup = {
  name: 'workers',
  origin: 'Auto Scaling group',
  sizes: { min: 0, desired: 2, max: 5 },
  instanceTypes: ['m5.large'],
  selector: {},
  market: { onDemandBase: 0, onDemandPercentage: 100 },
  labels: {},
  taints: [],
  zones: [],
  subnetIds: [],
  securityGroupIds: [],
  image: { family: 'AL2023', version: 'v20250701' },
  nodeClass: {},
  tags: {},
  extendedResources: {},
  autoscalerOptions: {},
  findings: [],
};

interface Options {
  readonly flags?: readonly string[];
  readonly widen?: boolean;
  readonly weights?: ReadonlyMap<string, number>;
}

function map(
  change: Partial<SourceGroup>,
  { flags = [], widen = false, weights = new Map() }: Options = {},
): MappedGroup {
  const settings = autoscalerSettings(parseFlags(flags));
  return mapGroup({ ...plain, ...change }, { clusterName: 'prod', settings, weights, widen });
}

const pool = ({ nodePools }: MappedGroup) => nodePools[0]?.spec;
const requirement = (mapped: MappedGroup, key: string) =>
  pool(mapped)?.template.spec.requirements.find((each) => each.key === key);
const classSpec = ({ nodeClass }: MappedGroup) => nodeClass.spec;

describe('a node group', () => {
  it('maps instance types to a requirement', () => {
    const mapped = map({ instanceTypes: ['m5.large', 'c5.xlarge'] });
    expect(requirement(mapped, 'node.kubernetes.io/instance-type')?.values).toEqual([
      'm5.large',
      'c5.xlarge',
    ]);
  });

  it('maps instance types to category, generation, vCPUs and architecture when widened', () => {
    const mapped = map({ instanceTypes: ['m6g.large', 'c5.xlarge'] }, { widen: true });
    expect(requirement(mapped, 'node.kubernetes.io/instance-type')).toBeUndefined();
    expect(requirement(mapped, 'karpenter.k8s.aws/instance-category')?.values).toEqual(['c', 'm']);
    expect(requirement(mapped, 'karpenter.k8s.aws/instance-generation')).toMatchObject({
      operator: 'Gte',
      values: ['5'],
    });
    expect(requirement(mapped, 'karpenter.k8s.aws/instance-cpu')?.values).toEqual(['2', '4']);
    expect(requirement(mapped, 'kubernetes.io/arch')?.values).toEqual(['amd64', 'arm64']);
  });

  it('widens types to the categories of their labels', () => {
    const mapped = map({ instanceTypes: ['im4gn.large', 'gr6.4xlarge', 'inf2.xlarge'] }, { widen: true });
    expect(requirement(mapped, 'karpenter.k8s.aws/instance-category')?.values).toEqual(['gr', 'im', 'inf']);
    expect(requirement(mapped, 'karpenter.k8s.aws/instance-generation')?.values).toEqual(['2']);
  });

  it('requires GPUs only if every type has them', () => {
    const gpuCount = 'karpenter.k8s.aws/instance-gpu-count';
    const some = map({ instanceTypes: ['g5.xlarge', 'm5.xlarge'] }, { widen: true });
    expect(requirement(some, gpuCount)).toBeUndefined();
    const all = map({ instanceTypes: ['g5.xlarge', 'g5.12xlarge'] }, { widen: true });
    expect(requirement(all, gpuCount)?.values).toEqual(['1', '4']);
  });

  it('maps an instance selector to requirements', () => {
    const mapped = map({
      instanceTypes: [],
      selector: { vcpus: 4, memoryMiB: 16_384, gpus: 1, architecture: 'amd64' },
    });
    expect(requirement(mapped, 'karpenter.k8s.aws/instance-cpu')?.values).toEqual(['4']);
    expect(requirement(mapped, 'karpenter.k8s.aws/instance-memory')?.values).toEqual(['16384']);
    expect(requirement(mapped, 'karpenter.k8s.aws/instance-gpu-count')?.values).toEqual(['1']);
    expect(requirement(mapped, 'kubernetes.io/arch')?.values).toEqual(['amd64']);
  });

  it.each([
    [0, ['spot']],
    [100, ['on-demand']],
  ])('with %d %% on-demand maps to one pool of %j', (onDemandPercentage, values) => {
    const mapped = map({ market: { onDemandBase: 0, onDemandPercentage } });
    expect(mapped.nodePools).toHaveLength(1);
    expect(requirement(mapped, 'karpenter.sh/capacity-type')?.values).toEqual(values);
  });

  it('with a ratio maps to two pools that a label divides', () => {
    const { nodePools, findings } = map({
      market: { onDemandBase: 1, onDemandPercentage: 20 },
      sizes: { min: 0, desired: 5, max: 10 },
    });
    expect(nodePools.map(({ metadata }) => metadata.name)).toEqual(['workers-on-demand', 'workers-spot']);
    const values = nodePools.map(
      ({ spec }) => spec.template.spec.requirements.find(({ key }) => key === 'capacity-spread')?.values,
    );
    expect(values).toEqual([['1'], ['2', '3', '4', '5']]);
    expect(nodePools.map(({ spec }) => spec.limits?.['nodes'])).toEqual(['2', '8']);
    expect(findings.find(({ setting }) => setting.startsWith('instancesDistribution'))?.verdict).toBe(
      'approximate',
    );
  });

  it('maps the maximum to limits and reports a minimum as unmapped', () => {
    const mapped = map({ sizes: { min: 2, desired: 3, max: 7 } });
    expect(pool(mapped)?.limits).toEqual({ nodes: '7' });
    expect(mapped.findings.find(({ setting }) => setting === 'minSize: 2')?.verdict).toBe('unmapped');
  });

  it('of a fixed size maps to a static pool without limits of other resources', () => {
    const mapped = map({ sizes: { min: 3, desired: 3, max: 3 } }, { flags: ['--cores-total=0:99'] });
    expect(pool(mapped)?.replicas).toBe(3);
    expect(pool(mapped)?.limits).toEqual({ nodes: '4' });
    expect(pool(mapped)?.weight).toBeUndefined();
  });

  it('maps labels, except those that name the group or that Karpenter reserves', () => {
    const labels = {
      team: 'a',
      'eks.amazonaws.com/nodegroup': 'workers',
      'karpenter.sh/x': '1',
      'kubernetes.io/arch': 'amd64',
    };
    const mapped = map({ labels });
    expect(pool(mapped)?.template.metadata?.labels).toEqual({ team: 'a' });
    const verdicts = mapped.findings
      .filter(({ setting }) => setting.startsWith('label '))
      .map(({ verdict }) => verdict);
    expect(verdicts).toEqual(['mapped', 'unmapped', 'unmapped', 'not-needed']);
  });

  it('maps taints, zones and startup taints', () => {
    const taints = [{ key: 'gpu', value: 'true', effect: 'NoSchedule' }] as const;
    const mapped = map({ taints, zones: ['us-west-2a'] }, { flags: ['--startup-taint=cni'] });
    expect(pool(mapped)?.template.spec.taints).toEqual(taints);
    expect(pool(mapped)?.template.spec.startupTaints).toEqual([{ key: 'cni', effect: 'NoSchedule' }]);
    expect(requirement(mapped, 'topology.kubernetes.io/zone')?.values).toEqual(['us-west-2a']);
  });

  it('gets the weight of its priority only with the priority expander', () => {
    const weights = new Map([['workers', 3]]);
    expect(pool(map({}, { weights, flags: ['--expander=priority'] }))?.weight).toBe(3);
    expect(pool(map({}, { weights }))?.weight).toBeUndefined();
  });

  it('overrides flags by its autoscaling options', () => {
    const autoscalerOptions = {
      scaledownunneededtime: '1m',
      scaledownutilizationthreshold: '0.3',
      zeroormaxnodescaling: 'true',
    };
    const mapped = map({ autoscalerOptions }, { flags: ['--scale-down-unneeded-time=9m'] });
    expect(pool(mapped)?.disruption).toMatchObject({
      consolidateAfter: '1m',
      consolidationPolicy: 'Balanced',
    });
    expect(mapped.findings.find(({ setting }) => setting.includes('zeroormax'))?.verdict).toBe('unmapped');
  });

  it('reports extended resources of its tags', () => {
    const { findings } = map({ extendedResources: { 'smarter-devices/fuse': '10' } });
    expect(findings.find(({ setting }) => setting.includes('smarter-devices'))?.verdict).toBe('approximate');
  });

  it('maps subnets and security groups to ids, and to the discovery tag where it names none', () => {
    const byId = classSpec(map({ subnetIds: ['subnet-1'], securityGroupIds: ['sg-1'] }));
    expect([byId.subnetSelectorTerms, byId.securityGroupSelectorTerms]).toEqual([
      [{ id: 'subnet-1' }],
      [{ id: 'sg-1' }],
    ]);
    const byTag = classSpec(map({}));
    expect(byTag.subnetSelectorTerms).toEqual([{ tags: { 'karpenter.sh/discovery': 'prod' } }]);
  });

  it.each([
    [{ family: 'AL2023', version: 'v20250701' }, { amiSelectorTerms: [{ alias: 'al2023@v20250701' }] }],
    [{ family: 'Bottlerocket' }, { amiSelectorTerms: [{ alias: 'bottlerocket@latest' }] }],
    [{ family: 'Windows2022' }, { amiSelectorTerms: [{ alias: 'windows2022@latest' }] }],
    [
      { family: 'AL2', id: 'ami-1' },
      { amiFamily: 'AL2', amiSelectorTerms: [{ id: 'ami-1' }] },
    ],
    [
      { family: 'Custom', id: 'ami-1' },
      { amiFamily: 'Custom', amiSelectorTerms: [{ id: 'ami-1' }] },
    ],
  ] as const)('maps image %j', (image, expected) => {
    expect(classSpec(map({ image }))).toMatchObject(expected);
  });

  it('has exactly one of role and instance profile', () => {
    expect(classSpec(map({ role: 'a', instanceProfile: 'b' }))).not.toHaveProperty('instanceProfile');
    expect(classSpec(map({ instanceProfile: 'b' }))).not.toHaveProperty('role');
    expect(classSpec(map({})).role).toBe('KarpenterNodeRole-prod');
  });

  it('maps tags, except those that others write', () => {
    const tags = {
      cost: 'a',
      'aws:x': '1',
      'k8s.io/cluster-autoscaler/enabled': 'true',
      'kubernetes.io/cluster/prod': 'owned',
    };
    expect(classSpec(map({ tags })).tags).toEqual({ cost: 'a' });
  });

  it('takes over fields of the node class and allows reservations first', () => {
    const nodeClass = { detailedMonitoring: true, capacityReservationSelectorTerms: [{ id: 'cr-1' }] };
    const mapped = map({ nodeClass });
    expect(classSpec(mapped)).toMatchObject(nodeClass);
    expect(requirement(mapped, 'karpenter.sh/capacity-type')?.values).toEqual(['reserved', 'on-demand']);
  });

  it.each(['My_Group.1', 'x'.repeat(90), '---'])('gets names that the API server accepts: %s', (name) => {
    const { nodeClass, nodePools } = map({ name });
    for (const object of [nodeClass, ...nodePools])
      expect(object.metadata?.name).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
  });
});
