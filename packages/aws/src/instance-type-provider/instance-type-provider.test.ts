import type {
  DescribeInstanceTypeOfferingsCommandInput,
  DescribeInstanceTypesCommandInput,
  InstanceTypeInfo,
  InstanceTypeOffering,
} from '@aws-sdk/client-ec2';
import { minutes } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import { instanceType } from '@karpenter/ec2-catalogue';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ReadClass, TypeQueries } from '../instance-types/index.ts';
import { DiscoveredMemory } from '../instance-types/index.ts';
import { PreviewPrices, ReservationCounts, UnavailableOfferings } from '../offerings/index.ts';
import { InstanceTypeProvider } from './instance-type-provider.ts';

const zoneNames = ['us-east-1a', 'us-east-1b'] as const;
const subnets = zoneNames.map((zone, index) => ({ id: `subnet-${index}`, zone, zoneID: `use1-az${index}` }));

/** A region with a few types, two to a page. */
class Region implements TypeQueries {
  names: readonly InstanceTypeInfo['InstanceType'][] = ['m5.large', 'c5.large', 'm6g.large'];
  zones: readonly string[] = zoneNames;
  readonly asked: (DescribeInstanceTypesCommandInput | DescribeInstanceTypeOfferingsCommandInput)[] = [];

  readonly describeInstanceTypes: TypeQueries['describeInstanceTypes'] = async (input) => {
    this.asked.push(input);
    const from = Number(input.NextToken ?? 0);
    const InstanceTypes = this.names.slice(from, from + 2).map(described);
    return { InstanceTypes, ...(from + 2 < this.names.length && { NextToken: String(from + 2) }) };
  };

  readonly describeInstanceTypeOfferings: TypeQueries['describeInstanceTypeOfferings'] = async (input) => {
    this.asked.push(input);
    const sold = this.names.flatMap((InstanceType) =>
      this.zones.map((Location): InstanceTypeOffering => ({ InstanceType, Location })),
    );
    return { InstanceTypeOfferings: sold };
  };
}

function described(name: InstanceTypeInfo['InstanceType']): InstanceTypeInfo {
  return structuredClone({ ...instanceType(name ?? ''), InstanceType: name }) as InstanceTypeInfo;
}

let now: number;
let region: Region;
let prices: { version: number; readonly known: Map<string, number> };
let unavailable: UnavailableOfferings;
let reservations: ReservationCounts;
let memory: DiscoveredMemory;
let shifted: { version: number; readonly zones: Set<string> };
let lines: string[];
let gauges: string[];
let provider: InstanceTypeProvider;

beforeEach(async () => {
  now = 0;
  region = new Region();
  prices = {
    version: 0,
    known: new Map([
      ['m5.large', 1],
      ['c5.large', 2],
      ['m6g.large', 3],
    ]),
  };
  unavailable = new UnavailableOfferings({ now: () => now });
  reservations = new ReservationCounts(() => now);
  memory = new DiscoveredMemory(() => now);
  shifted = { version: 0, zones: new Set() };
  lines = [];
  gauges = [];
  const line = (message: string, fields?: object) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  provider = new InstanceTypeProvider({
    ec2: region,
    region: 'us-east-1',
    settings: { vmMemoryOverheadPercent: 0.075, reservedEnis: 0 },
    sources: {
      prices: {
        get version() {
          return prices.version;
        },
        onDemandPrice: (type) => prices.known.get(type),
        spotPrice: (type) => prices.known.get(type),
        hasSpotPrice: (type) => prices.known.has(type),
      },
      unavailable,
      reservations,
      shifted: {
        get version() {
          return shifted.version;
        },
        has: (id) => shifted.zones.has(id),
      },
      previews: new PreviewPrices(
        () => [],
        () => now,
      ),
    },
    memory,
    now: () => now,
    log: { debug: line, info: line, error: line },
    gauges: {
      set: ({ name }, labels, value) => void gauges.push(`${name} ${Object.values(labels)} ${value}`),
    },
  });
  await provider.refresh();
});

const nodeClass = (
  spec: Partial<ReadClass['spec']> = {},
  status: Partial<ReadClass['status']> = {},
): ReadClass => ({
  spec: { amiSelectorTerms: [{ alias: 'al2023@latest' }], ...spec },
  status: { subnets, amis: [{ id: 'ami-1', requirements: [] }], ...status },
});

function typeNamed(list: readonly InstanceType[], name: string): InstanceType | undefined {
  return list.find((type) => type.name === name);
}

const openOf = (type: InstanceType | undefined) =>
  type?.offerings.filter(({ available }) => available).length;

describe('discovery', () => {
  it('lists the types that nodes can run on and their zones, page by page', () => {
    expect(region.asked.filter((input) => 'Filters' in input)).toEqual([
      {
        Filters: [
          { Name: 'supported-virtualization-type', Values: ['hvm'] },
          { Name: 'processor-info.supported-architecture', Values: ['x86_64', 'arm64'] },
        ],
        MaxResults: 100,
      },
      expect.objectContaining({ NextToken: '2' }),
    ]);
    expect(region.asked.filter((input) => 'LocationType' in input)).toEqual([
      { LocationType: 'availability-zone', MaxResults: 1000 },
    ]);
  });

  it('logs and reports a result once', async () => {
    await provider.refresh();
    expect(lines).toEqual([
      'discovered instance types {"count":3}',
      'discovered offerings for instance types {"instance-type-count":3}',
      'discovered zones {"zones":"us-east-1a, us-east-1b"}',
    ]);
    expect(gauges).toContain('karpenter_cloudprovider_instance_type_cpu_cores m5.large 2');
    expect(gauges).toContain('karpenter_cloudprovider_instance_type_memory_bytes m5.large 8589934592');
  });

  it('keeps the previous result when EC2 fails', async () => {
    const failing = { ...region, describeInstanceTypes: () => Promise.reject(new Error('throttled')) };
    Object.assign(region, failing);
    await expect(provider.refresh()).rejects.toThrow('throttled');
    expect(provider.list(nodeClass())).toHaveLength(3);
  });

  it.each<[string, () => void, ReadClass]>([
    ['no instance types found', () => Object.assign(region, { names: [] }), nodeClass()],
    ['no instance types offerings found', () => Object.assign(region, { zones: [] }), nodeClass()],
    ['no subnets found', () => {}, nodeClass({}, { subnets: [] })],
  ])('fails to list with "%s"', async (message, change, asked) => {
    change();
    await provider.refresh();
    expect(() => provider.list(asked)).toThrow(message);
  });
});

describe('a list of instance types', () => {
  it('has every type, by name, with its sizes and offerings', () => {
    const list = provider.list(nodeClass());
    expect(list.map(({ name }) => name)).toEqual(['c5.large', 'm5.large', 'm6g.large']);
    expect(typeNamed(list, 'm5.large')?.capacity['memory']).toBe('7577Mi');
    expect(openOf(typeNamed(list, 'm5.large'))).toBe(4);
  });

  it('is the same object as long as nothing changes, also for an equal NodeClass', () => {
    const list = provider.list(nodeClass());
    expect(provider.list(nodeClass())).toBe(list);
    now = minutes(4);
    expect(provider.list(nodeClass())).toBe(list);
  });

  it('is the same object whatever the order of the subnets', () => {
    const list = provider.list(nodeClass({}, { subnets }));
    expect(provider.list(nodeClass({}, { subnets: subnets.toReversed() }))).toBe(list);
  });

  it('has no available offering outside the zones of the class', () => {
    const [first] = subnets;
    const list = provider.list(nodeClass({}, { subnets: first ? [first] : [] }));
    expect(openOf(typeNamed(list, 'm5.large'))).toBe(2);
    expect(typeNamed(list, 'm5.large')?.offerings).toHaveLength(4);
  });

  it('changes with a shortage for that type only, and changes back after it', () => {
    const before = provider.list(nodeClass());
    unavailable.markUnavailable({
      instanceType: 'm5.large',
      zone: 'us-east-1a',
      capacityType: 'spot',
      reason: 'InsufficientInstanceCapacity',
    });
    const during = provider.list(nodeClass());
    expect(openOf(typeNamed(during, 'm5.large'))).toBe(3);
    expect(typeNamed(during, 'c5.large')).toBe(typeNamed(before, 'c5.large'));
    now = minutes(3);
    expect(openOf(typeNamed(provider.list(nodeClass()), 'm5.large'))).toBe(4);
  });

  it('follows prices, shifted zones and exhausted subnets', () => {
    prices.known.delete('m5.large');
    prices.version += 1;
    expect(openOf(typeNamed(provider.list(nodeClass()), 'm5.large'))).toBe(0);
    shifted.zones.add('use1-az0');
    shifted.version += 1;
    expect(openOf(typeNamed(provider.list(nodeClass()), 'c5.large'))).toBe(2);
    unavailable.markSubnetUnavailable('subnet-1');
    expect(openOf(typeNamed(provider.list(nodeClass()), 'c5.large'))).toBe(0);
  });

  it('follows the free capacity of reservations', () => {
    const reserved = nodeClass(
      {},
      {
        capacityReservations: [
          {
            id: 'cr-1',
            availabilityZone: 'us-east-1a',
            instanceType: 'm5.large',
            instanceMatchCriteria: 'open',
            ownerID: '123456789012',
            reservationType: 'default',
            state: 'active',
          },
        ],
      },
    );
    const held = () => typeNamed(provider.list(reserved), 'm5.large')?.offerings.at(-1);
    expect(held()).toMatchObject({ reservationCapacity: 0, available: false });
    reservations.read(new Map([['cr-1', 2]]));
    expect(held()).toMatchObject({ reservationCapacity: 2, available: true });
    reservations.markLaunched('cr-1');
    expect(held()?.reservationCapacity).toBe(1);
  });

  it('uses discovered memory from the next computation of shapes', () => {
    const sizeOf = () => typeNamed(provider.list(nodeClass()), 'm5.large')?.capacity['memory'];
    expect(sizeOf()).toBe('7577Mi');
    memory.report({ instanceType: 'm5.large', imagesHash: 'ami-1', memory: '7700Mi' });
    expect(sizeOf()).toBe('7577Mi');
    now = minutes(5);
    expect(sizeOf()).toBe('7700Mi');
  });

  it('changes with discovered memory for that type only', () => {
    const before = provider.list(nodeClass());
    memory.report({ instanceType: 'm5.large', imagesHash: 'ami-1', memory: '7700Mi' });
    now = minutes(5);
    const after = provider.list(nodeClass());
    const isSame = (name: string) => typeNamed(after, name) === typeNamed(before, name);
    expect(['m5.large', 'c5.large', 'm6g.large'].map(isSame)).toEqual([false, true, true]);
    expect(typeNamed(after, 'm5.large')?.offerings).toBe(typeNamed(before, 'm5.large')?.offerings);
  });

  it('follows shortages of types that stayed when another was made again', () => {
    provider.list(nodeClass());
    memory.report({ instanceType: 'm5.large', imagesHash: 'ami-1', memory: '7700Mi' });
    now = minutes(5);
    const mark = (instanceType: string) =>
      unavailable.markUnavailable({
        instanceType,
        zone: 'us-east-1a',
        capacityType: 'spot',
        reason: 'InsufficientInstanceCapacity',
      });
    mark('c5.large');
    expect(openOf(typeNamed(provider.list(nodeClass()), 'c5.large'))).toBe(3);
    mark('m5.large');
    expect(openOf(typeNamed(provider.list(nodeClass()), 'm5.large'))).toBe(3);
  });

  it('is rebuilt when EC2 offers other types', async () => {
    provider.list(nodeClass());
    region.names = ['m5.large', 'r5.large'];
    await provider.refresh();
    expect(provider.list(nodeClass()).map(({ name }) => name)).toEqual(['m5.large', 'r5.large']);
    expect(provider.described('r5.large')?.VCpuInfo?.DefaultVCpus).toBe(2);
  });
});

describe('NodeClasses that differ', () => {
  const tuned = { kubelet: { maxPods: 10 } };

  it('in the kubelet configuration share offerings', () => {
    const plain = typeNamed(provider.list(nodeClass()), 'm5.large');
    const other = typeNamed(provider.list(nodeClass(tuned)), 'm5.large');
    expect(other?.capacity['pods']).toBe('10');
    expect(other?.offerings).toBe(plain?.offerings);
  });

  it('in their zones share shapes', () => {
    const plain = typeNamed(provider.list(nodeClass()), 'm5.large');
    const other = typeNamed(provider.list(nodeClass({}, { subnets: subnets.slice(1) })), 'm5.large');
    expect(other?.capacity).toBe(plain?.capacity);
    expect(openOf(other)).toBe(2);
  });

  it.each<[string, Partial<ReadClass['spec']>, number]>([
    ['image family', { amiFamily: 'Windows2022', amiSelectorTerms: [{ id: 'ami-1' }] }, 4],
    ['processor options', { cpuOptions: { nestedVirtualization: 'enabled' } }, 0],
    ['connection tracking', { connectionTracking: { udpTimeout: 30 } }, 4],
    [
      'network interfaces',
      { networkInterfaces: [{ networkCardIndex: 1, deviceIndex: 0, interfaceType: 'interface' }] },
      0,
    ],
  ])('in their %s get lists of their own', (_, spec, open) => {
    const plain = provider.list(nodeClass());
    const other = provider.list(nodeClass(spec));
    expect(other).not.toBe(plain);
    expect(openOf(typeNamed(other, 'm5.large'))).toBe(open);
  });

  it('in their placement group get lists of their own', () => {
    const same = nodeClass();
    expect(openOf(typeNamed(provider.list(same), 'm5.large'))).toBe(4);
    const group = { id: 'pg-1', strategy: 'partition', partitionCount: 3 } as const;
    expect(openOf(typeNamed(provider.list(same, group), 'm5.large'))).toBe(12);
  });
});
