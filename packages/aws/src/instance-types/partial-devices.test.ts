import { instanceType } from '@karpenter/ec2-catalogue';
import { describe, expect, it } from 'vitest';
import { partialDevices } from './partial-devices.ts';

describe('the devices of which a type has a part', () => {
  it.each([
    ['g6f.xlarge', ['nvidia.com/gpu']],
    ['gr6f.4xlarge', ['nvidia.com/gpu']],
    ['g6.xlarge', undefined],
    ['m5.large', undefined],
  ])('of %s are %j', (name, devices) => {
    expect(partialDevices(instanceType(name) ?? {}).partialDevices).toEqual(devices);
  });

  it('follow the manufacturer of the GPU, and leave out those without a resource', () => {
    const slice = (Manufacturer: string) =>
      partialDevices({ GpuInfo: { Gpus: [{ Name: 'x', Manufacturer, Count: 0 }] } }).partialDevices;
    expect(['NVIDIA', 'AMD', 'Habana', 'Unknown'].map(slice)).toEqual([
      ['nvidia.com/gpu'],
      ['amd.com/gpu'],
      ['habana.ai/gaudi'],
      undefined,
    ]);
  });
});
