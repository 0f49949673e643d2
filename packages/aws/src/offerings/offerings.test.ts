import { instanceType } from '@karpenter/ec2-catalogue';
import { describe, expect, it } from 'vitest';
import { RequirementPool } from '../instance-types/index.ts';
import { type OfferingInputs, type OfferingMarket, offeringsOf } from './offerings.ts';

const openMarket: OfferingMarket = {
  onDemandPrice: () => 1,
  spotPrice: (_, zone) => (zone === 'b' ? 0.3 : 0.4),
  isUnavailable: () => false,
  isSuspect: () => false,
  isExhausted: () => false,
  isShifted: () => false,
  freeInReservation: () => 2,
};

const inputs: OfferingInputs = {
  type: instanceType('m5.large') ?? {},
  regionZones: ['a', 'b', 'c'],
  usableZones: new Set(['a', 'b']),
  classZones: [{ name: 'a', id: 'az1' }, { name: 'b' }],
  isCompatible: true,
  reservations: [],
};

const reservation = {
  id: 'cr-1',
  availabilityZone: 'a',
  instanceType: 'm5.large',
  instanceMatchCriteria: 'targeted' as const,
  ownerID: '123456789012',
  reservationType: 'capacity-block' as const,
  interruptible: true,
  state: 'active' as const,
};

const shortNames: Readonly<Record<string, string>> = {
  'karpenter.sh/capacity-type': 'type',
  'topology.kubernetes.io/zone': 'zone',
  'topology.k8s.aws/zone-id': 'id',
  'karpenter.k8s.aws/capacity-reservation-id': 'reservation',
  'karpenter.k8s.aws/capacity-reservation-type': 'kind',
  'karpenter.k8s.aws/capacity-reservation-interruptible': 'interruptible',
  'karpenter.k8s.aws/placement-group-partition': 'partition',
};

/** Offerings as text: labels that exist, price, and a mark if available. */
function offered(
  changes: Partial<OfferingInputs> = {},
  market: Partial<OfferingMarket> = {},
): readonly string[] {
  return offeringsOf({ ...inputs, ...changes }, { ...openMarket, ...market }, new RequirementPool()).map(
    ({ requirements, price, available }) => {
      const labels = requirements.flatMap(({ key, values }) =>
        values ? [`${shortNames[key]}=${values}`] : [],
      );
      return `${labels.join(' ')} $${price}${available ? '' : ' unavailable'}`;
    },
  );
}

describe('offerings', () => {
  it('cover all zones of the region and all capacity types of the type', () => {
    expect(offered()).toEqual([
      'type=on-demand zone=a id=az1 $1',
      'type=spot zone=a id=az1 $0.4',
      'type=on-demand zone=b $1',
      'type=spot zone=b $0.3',
      'type=on-demand zone=c $1 unavailable',
      'type=spot zone=c $0.4 unavailable',
    ]);
  });

  it('exclude the reservation labels', () => {
    const [first] = offeringsOf(inputs, openMarket, new RequirementPool());
    expect(
      first?.requirements
        .filter(({ operator }) => operator === 'DoesNotExist')
        .map(({ key }) => shortNames[key]),
    ).toEqual(['reservation', 'kind', 'interruptible']);
  });

  it('distinguish suspect from unavailable', () => {
    const market = { ...openMarket, isSuspect: () => true, isShifted: (id: string) => id === 'az1' };
    const found = offeringsOf(inputs, market, new RequirementPool());
    expect(found.map(({ isSuspect = false }) => isSuspect)).toEqual([false, false, true, true, false, false]);
  });

  it('share requirement lists with other types', () => {
    const pool = new RequirementPool();
    const [mine] = offeringsOf(inputs, openMarket, pool);
    const [other] = offeringsOf({ ...inputs, type: instanceType('c5.large') ?? {} }, openMarket, pool);
    expect(mine?.requirements).toBe(other?.requirements);
  });

  it.each<[string, Partial<OfferingInputs>, Partial<OfferingMarket>, readonly string[]]>([
    ['the class is incompatible with the type', { isCompatible: false }, {}, []],
    [
      'an offering had a shortage',
      {},
      { isUnavailable: ({ capacityType }) => capacityType === 'spot' },
      ['on-demand a', 'on-demand b'],
    ],
    ['an offering is suspect', {}, { isSuspect: ({ zone }) => zone === 'a' }, ['on-demand b', 'spot b']],
    ['there is no price', {}, { spotPrice: () => undefined }, ['on-demand a', 'on-demand b']],
    [
      'the subnets of a zone have no free addresses',
      {},
      { isExhausted: (zone) => zone === 'a' },
      ['on-demand b', 'spot b'],
    ],
    ['a zone has a zonal shift', {}, { isShifted: (id) => id === 'az1' }, ['on-demand b', 'spot b']],
    ['no zone of the class offers the type', { usableZones: new Set<string>() }, {}, []],
  ])('are unavailable where %s', (_, changes, market, open) => {
    const found = offered(changes, market).filter((line) => !line.endsWith('unavailable'));
    expect(found.map((line) => line.replace(/type=(\S+) zone=(\S+).*/, '$1 $2'))).toEqual(open);
  });

  it('look up shortages by type, zone, capacity type, group and partition', () => {
    const asked: unknown[] = [];
    const isUnavailable = (name: object) => {
      asked.push(name);
      return false;
    };
    offered(
      { regionZones: ['a'], group: { id: 'pg-1', strategy: 'partition', partitionCount: 1 } },
      { isUnavailable },
    );
    expect(asked[0]).toEqual({
      instanceType: 'm5.large',
      zone: 'a',
      capacityType: 'on-demand',
      placementGroup: 'pg-1',
      partition: '1',
    });
  });

  it('exist once per partition of a partition placement group', () => {
    const partition = { id: 'pg-1', strategy: 'partition', partitionCount: 2 } as const;
    const cluster = { id: 'pg-1', strategy: 'cluster' } as const;
    expect(offered({ regionZones: ['a'], group: partition })).toEqual([
      'type=on-demand zone=a id=az1 partition=1 $1',
      'type=on-demand zone=a id=az1 partition=2 $1',
      'type=spot zone=a id=az1 partition=1 $0.4',
      'type=spot zone=a id=az1 partition=2 $0.4',
    ]);
    expect(offered({ regionZones: ['a'], group: cluster })).toHaveLength(2);
  });
});

describe('reserved offerings', () => {
  const reserved = (
    changes: Partial<typeof reservation>,
    market: Partial<OfferingMarket> = {},
    more: Partial<OfferingInputs> = {},
  ) => offered({ ...more, regionZones: [], reservations: [{ ...reservation, ...changes }] }, market);

  it('cost a tiny share of the on-demand price', () => {
    expect(reserved({})).toEqual([
      'type=reserved zone=a id=az1 reservation=cr-1 kind=capacity-block interruptible=true $1e-7',
    ]);
  });

  it('are free and available when no price is known', () => {
    expect(reserved({}, { onDemandPrice: () => undefined })[0]).toMatch(/ \$0$/);
  });

  it('contain the free capacity of the reservation', () => {
    const [offering] = offeringsOf(
      { ...inputs, regionZones: [], reservations: [reservation] },
      openMarket,
      new RequirementPool(),
    );
    expect(offering?.reservationCapacity).toBe(2);
  });

  it.each<
    [
      string,
      Partial<typeof reservation> | { state: 'expiring' },
      Partial<OfferingMarket>,
      Partial<OfferingInputs>,
    ]
  >([
    ['the reservation has no free capacity', {}, { freeInReservation: () => 0 }, {}],
    ['the reservation is expiring', { state: 'expiring' }, {}, {}],
    ['the zone has no subnet', { availabilityZone: 'c' }, {}, {}],
    ['the zone has a zonal shift', {}, { isShifted: () => true }, {}],
    ['the subnets of the zone have no free addresses', {}, { isExhausted: () => true }, {}],
    ['the class is incompatible with the type', {}, {}, { isCompatible: false }],
  ])('are unavailable where %s', (_, changes, market, more) => {
    const changed = { ...reservation, ...changes };
    expect(offered({ ...more, regionZones: [], reservations: [changed] }, market)[0]).toMatch(/unavailable$/);
  });
});
