import { instanceType, instanceTypes } from '@karpenter/ec2-catalogue';
import { describe, expect, it } from 'vitest';
import { amiFamilies } from '../ami-family/index.ts';
import { awsLabelPolicy, instanceLabelKeys } from '../names/index.ts';
import type { DescribedType } from './described-type.ts';
import type { Place } from './place.ts';
import { RequirementPool } from './requirement-pool.ts';
import { typeRequirements } from './type-requirements.ts';

const place: Place = {
  region: 'us-east-1',
  zones: [{ name: 'us-east-1b', id: 'use1-az2' }, { name: 'us-east-1a' }],
  reservations: [],
};

const aws = (label: string) => `karpenter.k8s.aws/${label}`;

function labelsOf(type: DescribedType, family = amiFamilies.AL2023, where: Partial<Place> = {}) {
  const items = typeRequirements(type, family, { ...place, ...where }, new RequirementPool());
  return Object.fromEntries(items.map(({ key, operator, values }) => [key, values?.join() ?? operator]));
}

const catalogued = (name: string): DescribedType => instanceType(name) ?? { InstanceType: name };

describe('labels of a type', () => {
  it('describe g4dn.8xlarge', () => {
    expect(labelsOf(catalogued('g4dn.8xlarge'))).toMatchObject({
      [instanceLabelKeys.category]: 'g',
      [instanceLabelKeys.generation]: '4',
      [instanceLabelKeys.family]: 'g4dn',
      [instanceLabelKeys.size]: '8xlarge',
      [instanceLabelKeys.capabilityFlex]: 'false',
      [instanceLabelKeys.cpu]: '32',
      [instanceLabelKeys.cpuManufacturer]: 'intel',
      [instanceLabelKeys.cpuSustainedClockSpeedMhz]: '2500',
      [instanceLabelKeys.memory]: '131072',
      [instanceLabelKeys.ebsBandwidth]: '9500',
      [instanceLabelKeys.networkBandwidth]: '50000',
      [instanceLabelKeys.hypervisor]: 'nitro',
      [instanceLabelKeys.encryptionInTransitSupported]: 'true',
      [instanceLabelKeys.localNvme]: '900',
      [instanceLabelKeys.gpuName]: 't4',
      [instanceLabelKeys.gpuManufacturer]: 'nvidia',
      [instanceLabelKeys.gpuCount]: '1',
      [instanceLabelKeys.gpuMemory]: '16384',
      [instanceLabelKeys.acceleratorCount]: 'DoesNotExist',
      [aws('instance-tenancy')]: 'dedicated,default',
    });
  });

  it.each([
    ['m7i-flex.large', 'm', '7', 'true'],
    ['u7in-16tb.224xlarge', 'u', '7', 'false'],
    ['u-6tb1.56xlarge', 'u', '1', 'false'],
    ['mac2-m2.metal', 'mac', '2', 'false'],
    ['hpc7a.12xlarge', 'hpc', '7', 'false'],
    ['p6-b200.48xlarge', 'p', '6', 'false'],
    ['nonsense', 'DoesNotExist', 'DoesNotExist', 'false'],
  ])('parse the name %s', (name, category, generation, flex) => {
    expect(labelsOf({ InstanceType: name })).toMatchObject({
      [instanceLabelKeys.category]: category,
      [instanceLabelKeys.generation]: generation,
      [instanceLabelKeys.capabilityFlex]: flex,
    });
  });

  it('have an empty hypervisor on bare metal', () => {
    expect(labelsOf(catalogued('m5.metal'))[instanceLabelKeys.hypervisor]).toBe('');
  });

  it('omit local disks that are not NVMe or have no size', () => {
    const nvme = (InstanceStorageInfo: DescribedType['InstanceStorageInfo']) =>
      labelsOf({ InstanceType: 'a.b', InstanceStorageInfo })[instanceLabelKeys.localNvme];
    expect([
      nvme({ TotalSizeInGB: 75, NvmeSupport: 'required' }),
      nvme({ TotalSizeInGB: 75, NvmeSupport: 'unsupported' }),
      nvme({ NvmeSupport: 'supported' }),
    ]).toEqual(['75', 'DoesNotExist', 'DoesNotExist']);
  });

  it('give EBS bandwidth only for types that are EBS-optimized by default', () => {
    const ebs = (EbsOptimizedSupport: string) =>
      labelsOf({
        InstanceType: 'a.b',
        EbsInfo: { EbsOptimizedSupport, EbsOptimizedInfo: { MaximumBandwidthInMbps: 1000 } },
      })[instanceLabelKeys.ebsBandwidth];
    expect([ebs('default'), ebs('supported'), ebs('unsupported')]).toEqual([
      '1000',
      'DoesNotExist',
      'DoesNotExist',
    ]);
  });

  it('leave out the network bandwidth of a type that the published table lacks, whatever its record says', () => {
    const bandwidth = (InstanceType: string) =>
      labelsOf({
        InstanceType,
        NetworkInfo: { NetworkCards: [{ BaselineBandwidthInGbps: 2.5 }] },
      })[instanceLabelKeys.networkBandwidth];
    expect(['z9.large', 'm4.2xlarge', 'r9g.large', 'm5.large'].map(bandwidth)).toEqual([
      'DoesNotExist',
      'DoesNotExist',
      'DoesNotExist',
      '750',
    ]);
  });

  it('give the clock speed 0 for a type whose record has none', () => {
    const clock = (ghz: number | undefined) =>
      labelsOf({ InstanceType: 'm4.large', ProcessorInfo: { SustainedClockSpeedInGhz: ghz } })[
        instanceLabelKeys.cpuSustainedClockSpeedMhz
      ];
    expect([clock(undefined), clock(2.4), clock(2.25)]).toEqual(['0', '2400', '2250']);
  });

  it('omit GPU labels for types with several kinds of GPU', () => {
    const gpu = { Name: 'RTX PRO 4500', Manufacturer: 'NVIDIA', Count: 2, MemoryInfo: { SizeInMiB: 10 } };
    const name = (count: number) =>
      labelsOf({ InstanceType: 'g9.large', GpuInfo: { Gpus: Array.from({ length: count }, () => gpu) } })[
        instanceLabelKeys.gpuName
      ];
    expect([name(0), name(1), name(2)]).toEqual(['DoesNotExist', 'rtx-pro-4500', 'DoesNotExist']);
  });

  it('prefer NeuronInfo to InferenceAcceleratorInfo', () => {
    const accelerator = { Name: 'Inferentia', Manufacturer: 'AWS', Count: 4 };
    const older = { InstanceType: 'inf1.x', InferenceAcceleratorInfo: { Accelerators: [accelerator] } };
    const newer = { ...older, NeuronInfo: { NeuronDevices: [{ Name: 'Inferentia2', Count: 6 }] } };
    const count = (type: DescribedType) => labelsOf(type)[instanceLabelKeys.acceleratorCount];
    expect([count(older), count(newer), count({ ...older, NeuronInfo: {} })]).toEqual([
      '4',
      '6',
      'DoesNotExist',
    ]);
  });

  it('put an architecture unknown to Kubernetes in brackets', () => {
    const architecture = (...names: readonly string[]) =>
      labelsOf({ InstanceType: 'a.b', ProcessorInfo: { SupportedArchitectures: names } })[
        'kubernetes.io/arch'
      ];
    expect([architecture('i386', 'x86_64'), architecture('arm64'), architecture('arm64_mac')]).toEqual([
      'amd64',
      'arm64',
      '[arm64_mac]',
    ]);
  });

  it('offer Windows only on amd64, which has AMIs', () => {
    const system = (name: string) => {
      const labels = labelsOf(catalogued(name), amiFamilies.Windows2022);
      return [labels['kubernetes.io/os'], labels['node.kubernetes.io/windows-build']];
    };
    expect(system('m5.large')).toEqual(['windows', '10.0.20348']);
    expect(system('m6g.large')).toEqual(['DoesNotExist', '10.0.20348']);
  });

  it('contain the zones of the place and their ids if known', () => {
    const labels = labelsOf(catalogued('m5.large'));
    expect(labels['topology.kubernetes.io/zone']).toBe('us-east-1a,us-east-1b');
    expect(labels['topology.k8s.aws/zone-id']).toBe('use1-az2');
    const nowhere = labelsOf(catalogued('m5.large'), amiFamilies.AL2023, { zones: [] });
    expect(nowhere['topology.kubernetes.io/zone']).toBe('DoesNotExist');
    expect(nowhere).not.toHaveProperty(['topology.k8s.aws/zone-id']);
  });

  it('contain reservations and placement groups if there are any', () => {
    const reservation = {
      id: 'cr-1',
      availabilityZone: 'us-east-1a',
      instanceType: 'm5.large',
      instanceMatchCriteria: 'open' as const,
      ownerID: '123456789012',
      reservationType: 'default' as const,
      state: 'active' as const,
    };
    const labels = labelsOf(catalogued('m5.large'), amiFamilies.AL2023, {
      reservations: [reservation],
      group: { id: 'pg-1', strategy: 'partition', partitionCount: 3 },
    });
    expect(labels).toMatchObject({
      'karpenter.sh/capacity-type': 'on-demand,reserved,spot',
      [aws('capacity-reservation-id')]: 'cr-1',
      [aws('capacity-reservation-type')]: 'default',
      [aws('capacity-reservation-interruptible')]: 'false',
      [aws('placement-group-id')]: 'pg-1',
      [aws('placement-group-partition')]: '1,2,3',
    });
  });

  it('offer capacity blocks only as reservations', () => {
    expect(labelsOf(catalogued('p5.48xlarge'))['karpenter.sh/capacity-type']).toBe('on-demand,spot');
    expect(labelsOf(catalogued('hpc7a.12xlarge'))['karpenter.sh/capacity-type']).toBe('on-demand');
  });

  it('constrain every well-known label of every type', () => {
    const elsewhere = ['karpenter.sh/nodepool', aws('placement-group-id'), aws('placement-group-partition')];
    const known = [...awsLabelPolicy.wellKnown].filter((key) => !elsewhere.includes(key)).sort();
    const incomplete = instanceTypes().filter(
      (type) => Object.keys(labelsOf(type)).sort().join() !== known.join(),
    );
    expect(incomplete).toEqual([]);
  });
});

describe('a requirement pool', () => {
  it('returns one object per requirement and one list per name', () => {
    const pool = new RequirementPool();
    expect(pool.item('a', ['1', '2'])).toBe(pool.item('a', ['1', '2']));
    expect(pool.item('a', [])).not.toBe(pool.item('a', ['']));
    const make = () => [pool.item('a', [])];
    expect(pool.named('x', make)).toBe(pool.named('x', make));
    expect(pool.named('x', make)).not.toBe(pool.named('y', make));
  });
});
