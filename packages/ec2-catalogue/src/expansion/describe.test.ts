import { describe, expect, it } from 'vitest';
import { instanceType } from '../instance-types.ts';

const type = (name: string) => {
  const found = instanceType(name);
  if (found === undefined) throw new Error(`${name} is not in the catalogue`);
  return found;
};

describe('a type record', () => {
  it('has a hypervisor unless it is bare metal', () => {
    expect(type('m5.large').Hypervisor).toBe('nitro');
    expect(type('i3.large').Hypervisor).toBe('xen');
    expect(type('m5.metal')).toMatchObject({ BareMetal: true });
    expect('Hypervisor' in type('m5.metal')).toBe(false);
    expect('Hypervisor' in type('i3.metal')).toBe(false);
  });

  it('gives bare metal the shape of its virtual size', () => {
    const [metal, twin] = [type('c6id.metal'), type('c6id.32xlarge')];
    expect(metal.VCpuInfo).toEqual(twin.VCpuInfo);
    expect(metal.MemoryInfo).toEqual(twin.MemoryInfo);
    expect(metal.NetworkInfo).toEqual(twin.NetworkInfo);
    expect(metal.InstanceStorageInfo).toEqual(twin.InstanceStorageInfo);
  });

  it.each([
    ['c6i.large', 4096],
    ['m6g.medium', 4096],
    ['r8i.96xlarge', 3145728],
    ['c5n.xlarge', 10752],
    ['c5n.9xlarge', 98304],
    ['i3.large', 15616],
    ['t3.nano', 512],
  ])('of %s has %i MiB of memory', (name, memory) => {
    expect(type(name).MemoryInfo.SizeInMiB).toBe(memory);
  });

  it.each([
    ['m5d.large', 75],
    ['c6gd.medium', 59],
    ['c6gd.2xlarge', 474],
    ['x2gd.2xlarge', 475],
    ['c5d.12xlarge', 1800],
    ['c5ad.24xlarge', 3800],
    ['x8aedz.large', 158],
    ['x8aedz.3xlarge', 950],
  ])('of %s has %i GB on NVMe', (name, size) => {
    expect(type(name).InstanceStorageInfo).toEqual({ TotalSizeInGB: size, NvmeSupport: 'required' });
  });

  it('distinguishes NVMe disks, other disks and none', () => {
    expect(type('h1.2xlarge').InstanceStorageInfo).toEqual({
      TotalSizeInGB: 2000,
      NvmeSupport: 'unsupported',
    });
    expect(type('m5.large').InstanceStorageSupported).toBe(false);
    expect('InstanceStorageInfo' in type('m5.large')).toBe(false);
  });

  it('has processor, architecture and clock, which may vary by size', () => {
    expect(type('m6g.large').ProcessorInfo).toEqual({
      Manufacturer: 'AWS',
      SupportedArchitectures: ['arm64'],
      SustainedClockSpeedInGhz: 2.5,
    });
    const clocks = ['c5.9xlarge', 'c5.12xlarge', 'm8g.24xlarge', 'm8g.metal-48xl'].map(
      (name) => type(name).ProcessorInfo.SustainedClockSpeedInGhz,
    );
    expect(clocks).toEqual([3.4, 3.6, 2.8, 2.7]);
  });

  it('marks virtual sizes with nested virtualization', () => {
    expect(type('m8i.large').ProcessorInfo.SupportedFeatures).toEqual(['nested-virtualization']);
    expect(type('m8i.metal-48xl').ProcessorInfo.SupportedFeatures).toBeUndefined();
  });

  it('lists the supported usage classes', () => {
    expect(type('m5.large').SupportedUsageClasses).toEqual(['on-demand', 'spot']);
    expect(type('hpc7g.4xlarge').SupportedUsageClasses).toEqual(['on-demand']);
    expect(type('p5.48xlarge').SupportedUsageClasses).toEqual(['capacity-block', 'on-demand', 'spot']);
    expect(type('trn1.2xlarge').SupportedUsageClasses).toEqual(['on-demand', 'spot']);
  });

  it('lists the supported placement strategies', () => {
    expect(type('m5.large').PlacementGroupInfo.SupportedStrategies).toEqual([
      'cluster',
      'partition',
      'spread',
    ]);
    expect(type('m7i-flex.large').PlacementGroupInfo.SupportedStrategies).toEqual(['partition', 'spread']);
  });

  it('counts interfaces by network card', () => {
    expect(type('i7ie.48xlarge').NetworkInfo).toMatchObject({
      MaximumNetworkInterfaces: 15,
      MaximumNetworkCards: 2,
      NetworkCards: [
        { NetworkCardIndex: 0, MaximumNetworkInterfaces: 8 },
        { NetworkCardIndex: 1, MaximumNetworkInterfaces: 7 },
      ],
    });
    expect(type('p5.48xlarge').NetworkInfo.NetworkCards).toHaveLength(32);
  });

  it.each([
    ['m5.24xlarge', 0],
    ['m5n.metal', 1],
    ['c8gn.16xlarge', 1],
    ['c8gn.metal-48xl', 2],
    ['i7i.24xlarge', 1],
    ['i7i.metal-24xl', 0],
    ['p5.48xlarge', 32],
  ])('of %s counts %i EFA interfaces', (name, count) => {
    const { EfaSupported, EfaInfo } = type(name).NetworkInfo;
    expect(EfaSupported).toBe(count > 0);
    expect(EfaInfo?.MaximumEfaInterfaces ?? 0).toBe(count);
  });

  it.each([
    ['m5.large', 4750],
    ['m6a.48xlarge', 40000],
    ['x8i.64xlarge', 70000],
    ['r5ad.24xlarge', 13570],
    ['r7iz.12xlarge', 19000],
    ['t3.large', 2780],
    ['g4dn.8xlarge', 9500],
  ])('of %s has %i Mbps to EBS', (name, megabits) => {
    expect(type(name).EbsInfo.EbsOptimizedInfo?.MaximumBandwidthInMbps).toBe(megabits);
  });

  it('marks encryption in transit', () => {
    expect(type('m6g.large').NetworkInfo.EncryptionInTransitSupported).toBe(false);
    expect(type('m7g.large').NetworkInfo.EncryptionInTransitSupported).toBe(true);
  });

  it('has GPUs, a slice of one with a count of 0', () => {
    expect(type('g5.12xlarge').GpuInfo).toEqual({
      Gpus: [{ Name: 'A10G', Manufacturer: 'NVIDIA', Count: 4, MemoryInfo: { SizeInMiB: 22888 } }],
      TotalGpuMemoryInMiB: 91552,
    });
    expect(type('g6f.large').GpuInfo?.Gpus[0]).toMatchObject({ Count: 0, MemoryInfo: { SizeInMiB: 2861 } });
    expect(type('g4ad.xlarge').GpuInfo?.Gpus[0]?.Manufacturer).toBe('AMD');
    expect(type('dl1.24xlarge').GpuInfo?.Gpus[0]?.Manufacturer).toBe('Habana');
    expect(type('m5.large').GpuInfo).toBeUndefined();
  });

  it('has Neuron devices, with Inferentia also as an inference accelerator', () => {
    expect(type('inf2.24xlarge').NeuronInfo).toEqual({
      NeuronDevices: [
        {
          Name: 'Inferentia2',
          Count: 6,
          CoreInfo: { Count: 2, Version: 2 },
          MemoryInfo: { SizeInMiB: 32768 },
        },
      ],
      TotalNeuronDeviceMemoryInMiB: 196608,
    });
    expect(type('inf2.24xlarge').InferenceAcceleratorInfo?.Accelerators[0]?.Manufacturer).toBe('AWS');
    expect(type('trn1.32xlarge').NeuronInfo?.NeuronDevices[0]?.Count).toBe(16);
    expect(type('trn1.32xlarge').InferenceAcceleratorInfo).toBeUndefined();
    expect(type('trn2u.48xlarge').NeuronInfo).toBeUndefined();
  });

  it('has accelerators that are neither GPU nor Neuron', () => {
    expect(type('dl2q.24xlarge').NeuronInfo).toBeUndefined();
    expect(type('dl2q.24xlarge').InferenceAcceleratorInfo?.Accelerators[0]?.Count).toBe(8);
  });
});
