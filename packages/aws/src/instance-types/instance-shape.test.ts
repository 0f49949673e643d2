import { resourceTexts } from '@karpenter/core/values';
import { instanceType, instanceTypes } from '@karpenter/ec2-catalogue';
import { describe, expect, it } from 'vitest';
import { amiFamilies } from '../ami-family/index.ts';
import { allocatableOf } from './allocatable.ts';
import type { DescribedType } from './described-type.ts';
import { instanceShape } from './instance-shape.ts';
import type { NodeFacts, SizeSettings } from './node-facts.ts';

const usual: SizeSettings = { vmMemoryOverheadPercent: 0.075, reservedEnis: 0 };
const wholeMemory: SizeSettings = { vmMemoryOverheadPercent: 0, reservedEnis: 0 };
const al2023: NodeFacts = { family: amiFamilies.AL2023 };

function catalogued(name: string): DescribedType {
  const type = instanceType(name);
  if (type === undefined) throw new Error(`the catalogue has no ${name}`);
  return type;
}

const shapeOf = (name: string, facts: Partial<NodeFacts> = {}, settings = usual) =>
  instanceShape(catalogued(name), { ...al2023, ...facts }, settings);

/**
 * Calculated by hand: memory is MiB less 64 on arm64, less 7.5 % rounded
 * up; pods are interfaces × (addresses − 1) + 2; reserved are 11 MiB for
 * each pod and 255, and 6 %, 1 %, 0.5 %, 0.25 % of the CPU in bands.
 */
const byHand: readonly (readonly [name: string, cpu: number, memory: number, pods: number, kept: string])[] =
  [
    ['t3.nano', 2, 473, 4, '70m 299'],
    ['t3.large', 2, 7577, 35, '70m 640'],
    ['t3a.small', 2, 1894, 8, '70m 343'],
    ['t4g.medium', 2, 3729, 17, '70m 442'],
    ['m5.large', 2, 7577, 29, '70m 574'],
    ['m5.24xlarge', 96, 363724, 737, '310m 8362'],
    ['m5.metal', 96, 363724, 737, '310m 8362'],
    ['m5a.8xlarge', 32, 121241, 234, '150m 2829'],
    ['m5zn.12xlarge', 48, 181862, 737, '190m 8362'],
    ['m6g.medium', 1, 3729, 8, '60m 343'],
    ['m6i.32xlarge', 128, 484966, 737, '390m 8362'],
    ['m6idn.32xlarge', 128, 484966, 394, '390m 4589'],
    ['m7i-flex.large', 2, 7577, 29, '70m 574'],
    ['m7g.16xlarge', 64, 242424, 737, '230m 8362'],
    ['m7i.metal-24xl', 96, 363724, 737, '310m 8362'],
    ['m7i.48xlarge', 192, 727449, 737, '550m 8362'],
    ['c5.9xlarge', 36, 68198, 234, '160m 2829'],
    ['c5n.18xlarge', 72, 181862, 737, '250m 8362'],
    ['c6gn.xlarge', 4, 7518, 58, '80m 893'],
    ['c7a.medium', 1, 1894, 8, '60m 343'],
    ['c7gn.2xlarge', 8, 15096, 58, '90m 893'],
    ['r5.4xlarge', 16, 121241, 234, '110m 2829'],
    ['r6a.48xlarge', 192, 1454899, 737, '550m 8362'],
    ['r7iz.xlarge', 4, 30310, 58, '80m 893'],
    ['a1.2xlarge', 8, 15096, 58, '90m 893'],
    ['i3en.3xlarge', 12, 90931, 58, '100m 893'],
    ['i4i.24xlarge', 96, 727449, 437, '310m 5062'],
    ['x2gd.metal', 64, 969873, 737, '230m 8362'],
    ['x1e.xlarge', 4, 115558, 29, '80m 574'],
    ['z1d.large', 2, 15155, 29, '70m 574'],
    ['d3.8xlarge', 32, 242483, 59, '150m 904'],
    ['h1.16xlarge', 64, 242483, 394, '230m 4589'],
    ['g4dn.xlarge', 4, 15155, 29, '80m 574'],
    ['g5g.xlarge', 4, 7518, 58, '80m 893'],
    ['p4d.24xlarge', 96, 1091174, 737, '310m 8362'],
    ['inf2.xlarge', 4, 15155, 58, '80m 893'],
    ['trn1.2xlarge', 8, 30310, 58, '90m 893'],
    ['hpc7g.16xlarge', 64, 121182, 198, '230m 2433'],
    ['u7i-12tb.224xlarge', 896, 11639193, 737, '2310m 8362'],
    ['u7in-16tb.224xlarge', 896, 15518924, 394, '2310m 4589'],
  ];

describe('sizes of nodes', () => {
  it.each(byHand)('%s: %d vCPUs, %d MiB, %d pods, %s reserved', (name, cpu, memory, pods, kept) => {
    const { capacity, overhead } = shapeOf(name);
    expect(capacity).toMatchObject({ cpu: String(cpu), memory: inBinary(memory), pods: String(pods) });
    const [reservedCpu, reservedMemory] = kept.split(' ');
    expect(overhead.kubeReserved).toEqual({
      cpu: reservedCpu,
      memory: inBinary(Number(reservedMemory)),
      'ephemeral-storage': '1Gi',
    });
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['g4dn.12xlarge', { 'nvidia.com/gpu': '4' }],
    ['g4ad.16xlarge', { 'amd.com/gpu': '4' }],
    ['dl1.24xlarge', { 'habana.ai/gaudi': '8', 'vpc.amazonaws.com/efa': '4' }],
    ['p5.48xlarge', { 'nvidia.com/gpu': '8', 'vpc.amazonaws.com/efa': '32' }],
    ['inf1.24xlarge', { 'aws.amazon.com/neuron': '16', 'aws.amazon.com/neuroncore': '64' }],
    ['trn1.32xlarge', { 'aws.amazon.com/neuron': '16', 'aws.amazon.com/neuroncore': '32' }],
    ['m5.large', { 'vpc.amazonaws.com/pod-eni': '9' }],
  ])('count the devices of %s as extended resources', (name, devices) => {
    expect(shapeOf(name).capacity).toMatchObject(devices);
  });

  it('leave out devices that the type lacks', () => {
    expect(Object.keys(shapeOf('t3.large').capacity)).toEqual(['cpu', 'memory', 'ephemeral-storage', 'pods']);
  });

  it('subtract 64 MiB on arm64 before the VM memory overhead', () => {
    expect(shapeOf('m6g.large', {}, wholeMemory).capacity['memory']).toBe('8128Mi');
    expect(shapeOf('m6g.large').capacity['memory']).toBe('7518Mi');
  });
});

describe('the number of pods', () => {
  it.each<[string, Partial<NodeFacts>, number, string]>([
    ['is the ENI limit by default', {}, 0, '35'],
    ['is maxPods of the class if set', { kubelet: { maxPods: 10 } }, 0, '10'],
    ['excludes reserved interfaces', {}, 1, '24'],
    ['is zero when all interfaces are reserved', {}, 100, '0'],
    ['is limited by podsPerCore', { kubelet: { podsPerCore: 4 } }, 0, '8'],
    ['is not raised by podsPerCore', { kubelet: { maxPods: 5, podsPerCore: 4 } }, 0, '5'],
    ['ignores a podsPerCore of 0', { kubelet: { podsPerCore: 0 } }, 0, '35'],
    [
      'ignores podsPerCore on Bottlerocket, which does not support it',
      { family: amiFamilies.Bottlerocket, kubelet: { podsPerCore: 4 } },
      0,
      '35',
    ],
    ['is 110 on Windows, whatever the interfaces', { family: amiFamilies.Windows2022 }, 1, '110'],
  ])('%s', (_, facts, reservedEnis, pods) => {
    expect(shapeOf('t3.large', facts, { ...usual, reservedEnis }).capacity['pods']).toBe(pods);
  });

  it('subtracts an EFA-only interface on the first network card', () => {
    const efaOnly = (networkCardIndex: number) =>
      shapeOf('m6idn.32xlarge', {
        networkInterfaces: [
          { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
          { networkCardIndex, deviceIndex: 1, interfaceType: 'efa-only' },
        ],
      }).capacity['pods'];
    expect([shapeOf('m6idn.32xlarge').capacity['pods'], efaOnly(0), efaOnly(1)]).toEqual([
      '394',
      '345',
      '394',
    ]);
  });

  it('is zero for a type without network information', () => {
    const shape = instanceShape({ InstanceType: 'z9.large' }, al2023, usual);
    expect(shape.capacity).toEqual({ cpu: '0', memory: '0', pods: '0', 'ephemeral-storage': '20Gi' });
    expect(shape.overhead.kubeReserved?.['memory']).toBe('255Mi');
  });
});

describe('reserved memory', () => {
  const total = (name: string, facts: Partial<NodeFacts>, reservedEnis = 0) => {
    const { overhead } = shapeOf(name, facts, { ...wholeMemory, reservedEnis });
    return overhead.kubeReserved?.['memory'];
  };

  it.each<[string, string, Partial<NodeFacts>, number, string]>([
    ['by the ENI limit on AL2023, ignoring maxPods', 't3.large', { kubelet: { maxPods: 10 } }, 0, '640Mi'],
    [
      'by the ENI limit on AL2',
      't3.large',
      { family: amiFamilies.AL2, kubelet: { maxPods: 10 } },
      0,
      '640Mi',
    ],
    [
      'by the ENI limit on custom AMIs',
      't3.large',
      { family: amiFamilies.Custom, kubelet: { maxPods: 10 } },
      0,
      '640Mi',
    ],
    [
      'by maxPods on Bottlerocket',
      't3.large',
      { family: amiFamilies.Bottlerocket, kubelet: { maxPods: 10 } },
      0,
      '365Mi',
    ],
    [
      'by maxPods on Windows',
      't3.large',
      { family: amiFamilies.Windows2019, kubelet: { maxPods: 10 } },
      0,
      '365Mi',
    ],
    ['by all interfaces on AL2023, reserved ones included', 't3.large', {}, 1, '640Mi'],
    [
      'without reserved interfaces on Bottlerocket',
      't3.large',
      { family: amiFamilies.Bottlerocket },
      1,
      '519Mi',
    ],
    ['by 110 pods on Windows', 't3.large', { family: amiFamilies.Windows2025 }, 1, '1465Mi'],
    ['by kubeReserved of the class', 't3.large', { kubelet: { kubeReserved: { memory: '1Gi' } } }, 0, '1Gi'],
    [
      'by maxPods of 110 on Bottlerocket',
      'm5.xlarge',
      { family: amiFamilies.Bottlerocket, kubelet: { maxPods: 110 } },
      0,
      '1465Mi',
    ],
  ])('is computed %s', (_, name, facts, reservedEnis, memory) => {
    expect(total(name, facts, reservedEnis)).toBe(memory);
  });

  it('replaces only the resources that the class names', () => {
    expect(shapeOf('m5.large', { kubelet: { kubeReserved: { cpu: '200m' } } }).overhead.kubeReserved).toEqual(
      {
        cpu: '200m',
        memory: '574Mi',
        'ephemeral-storage': '1Gi',
      },
    );
  });

  it('has no system-reserved part by default', () => {
    expect(shapeOf('m5.large').overhead.systemReserved).toEqual({});
    const kubelet = { systemReserved: { memory: '100Mi', cpu: '0.1' } };
    expect(shapeOf('m5.large', { kubelet }).overhead.systemReserved).toEqual({
      memory: '100Mi',
      cpu: '100m',
    });
  });
});

describe('the eviction threshold', () => {
  const threshold = (evictionHard: Readonly<Record<string, string>>) =>
    shapeOf('m5.large', { kubelet: { evictionHard } }).overhead.evictionThreshold;

  it.each<[string, Readonly<Record<string, string>>, string, string]>([
    ['100 MiB and a tenth of the disk', {}, '100Mi', '2.147483648e+09'],
    ['the value of the class', { 'memory.available': '1Gi', 'nodefs.available': '5Gi' }, '1Gi', '5Gi'],
    ['a percentage of the capacity', { 'memory.available': '5%' }, '3.97253018e+08', '2.147483648e+09'],
    ['disabled at 100%', { 'memory.available': '100%', 'nodefs.available': '100%' }, '0', '0'],
    ['the default for an empty value', { 'memory.available': '' }, '100Mi', '2.147483648e+09'],
    ['the default despite other signals', { 'imagefs.available': '50%' }, '100Mi', '2.147483648e+09'],
  ])('is %s', (_, evictionHard, memory, storage) => {
    expect(threshold(evictionHard)).toEqual({ memory, 'ephemeral-storage': storage });
  });

  it('ignores soft thresholds', () => {
    const kubelet = { evictionSoft: { 'memory.available': '20%' } };
    expect(shapeOf('m5.large', { kubelet }).overhead.evictionThreshold?.['memory']).toBe('100Mi');
  });

  it('uses the estimated memory even when the real size is known', () => {
    const kubelet = { evictionHard: { 'memory.available': '5%' } };
    const facts = { ...al2023, kubelet };
    const shape = instanceShape(catalogued('m5.large'), facts, usual, '7700000Ki');
    expect(shape.capacity['memory']).toBe('7700000Ki');
    expect(shape.overhead.evictionThreshold?.['memory']).toBe('3.97253018e+08');
  });
});

describe('ephemeral storage', () => {
  const size = (name: string, facts: Partial<NodeFacts>) =>
    shapeOf(name, facts).capacity['ephemeral-storage'];
  const disk = (deviceName: string, volumeSize: string) => ({ deviceName, ebs: { volumeSize } });

  it.each<[string, Partial<NodeFacts>, string]>([
    ['is 20 GiB on Amazon Linux', {}, '20Gi'],
    ['is 50 GiB on Windows', { family: amiFamilies.Windows2022 }, '50Gi'],
    ['is the data volume of the family', { blockDeviceMappings: [disk('/dev/xvda', '100Gi')] }, '100Gi'],
    ['ignores other volumes', { blockDeviceMappings: [disk('/dev/xvdb', '100Gi')] }, '20Gi'],
    [
      'is the second volume of Bottlerocket',
      {
        family: amiFamilies.Bottlerocket,
        blockDeviceMappings: [disk('/dev/xvda', '4Gi'), disk('/dev/xvdb', '1T')],
      },
      '1T',
    ],
    [
      'is the volume marked as rootVolume',
      {
        blockDeviceMappings: [{ ...disk('/dev/xvdz', '60Gi'), rootVolume: true }, disk('/dev/xvda', '40Gi')],
      },
      '60Gi',
    ],
    [
      'is the last volume of a custom AMI',
      { family: amiFamilies.Custom, blockDeviceMappings: [disk('/dev/a', '4Gi'), disk('/dev/b', '30Gi')] },
      '30Gi',
    ],
    [
      'is 20 GiB if only a snapshot is given',
      {
        family: amiFamilies.Custom,
        blockDeviceMappings: [{ deviceName: '/dev/a', ebs: { snapshotID: 'snap-1' } }],
      },
      '20Gi',
    ],
    ['is 20 GiB if a mapping has no volume', { blockDeviceMappings: [{ deviceName: '/dev/xvda' }] }, '20Gi'],
    ['is 20 GiB if the size is a bare unit', { blockDeviceMappings: [disk('/dev/xvda', 'Ti')] }, '20Gi'],
  ])('%s', (_, facts, expected) => {
    expect(size('m5d.large', facts)).toBe(expected);
  });

  it('is the sum of the instance store volumes in decimal gigabytes with RAID0', () => {
    const facts: Partial<NodeFacts> = {
      instanceStorePolicy: 'RAID0',
      blockDeviceMappings: [disk('/dev/xvda', '100Gi')],
    };
    expect(size('m5d.large', facts)).toBe('75G');
    expect(size('i3en.24xlarge', facts)).toBe('60T');
    expect(size('m5.large', facts)).toBe('100Gi');
  });
});

describe('interfaces and addresses as resources', () => {
  it.each<[string, Partial<NodeFacts>, string | undefined]>([
    ['as many EFA interfaces as the type has', {}, '1'],
    ['none with an empty list of interfaces', { networkInterfaces: [] }, undefined],
    [
      'as many as there are efa-only interfaces',
      { networkInterfaces: [{ networkCardIndex: 0, deviceIndex: 1, interfaceType: 'efa-only' }] },
      '1',
    ],
  ])('has %s', (_, facts, count) => {
    expect(shapeOf('m5n.24xlarge', facts).capacity['vpc.amazonaws.com/efa']).toBe(count);
  });

  it.each([
    ['m5.large', '9'],
    ['t3a.small', '3'],
    ['m6g.large', undefined],
    ['hpc7a.12xlarge', undefined],
  ])('offers Windows pods the addresses of one interface of %s', (name, count) => {
    const { capacity } = shapeOf(name, { family: amiFamilies.Windows2022 });
    expect(capacity['vpc.amazonaws.com/PrivateIPv4Address']).toBe(count);
  });
});

describe('every type of the catalogue', () => {
  const families = Object.values(amiFamilies);

  it.each(families.map((family) => [family.name, family] as const))(
    'has allocatable within its capacity on %s',
    (_, family) => {
      const wrong = instanceTypes().filter((type) => {
        const shape = instanceShape(type, { family }, usual);
        const left = allocatableOf(shape);
        const texts = resourceTexts(left);
        const isMore = Object.entries(left).some(
          ([name, { nano }]) =>
            nano > (allocatableOf({ capacity: shape.capacity, overhead: {} })[name]?.nano ?? 0n),
        );
        return isMore || texts['pods'] !== shape.capacity['pods'] || texts['cpu'] === shape.capacity['cpu'];
      });
      expect(wrong.map(({ InstanceType }) => InstanceType)).toEqual([]);
    },
  );

  it('keeps positive allocatable on Amazon Linux 2023, even for the smallest', () => {
    const tooSmall = instanceTypes().filter((type) =>
      Object.values(allocatableOf(instanceShape(type, al2023, usual))).some(({ nano }) => nano <= 0n),
    );
    expect(tooSmall.map(({ InstanceType }) => InstanceType)).toEqual([]);
  });
});

function inBinary(mebibytes: number): string {
  const gibibytes = mebibytes / 1024;
  return Number.isInteger(gibibytes) ? `${gibibytes}Gi` : `${mebibytes}Mi`;
}
