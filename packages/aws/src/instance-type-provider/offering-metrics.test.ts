import type { InstanceType, Offering } from '@karpenter/core/ports';
import { describe, expect, it } from 'vitest';
import { offeringSeries, reportOfferings } from './offering-metrics.ts';

function offering(capacityType: string, price: number, available: boolean): Offering {
  return {
    requirements: [
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: [capacityType] },
      { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a'] },
    ],
    price,
    available,
  };
}

const type = (...offerings: readonly Offering[]): InstanceType => ({
  name: 'm5.large',
  requirements: [],
  capacity: {},
  overhead: {},
  offerings,
});

describe('metrics on offerings', () => {
  it('report an offering as available if it is for any NodePool, at the price of the last', () => {
    const views = [[type(offering('spot', 1, true))], [type(offering('spot', 2, false))]];
    expect(offeringSeries(views, { withReserved: false })).toEqual([
      { instanceType: 'm5.large', capacityType: 'spot', zone: 'a', available: true, price: 2 },
    ]);
  });

  it('report a suspect offering as available', () => {
    const suspect = { ...offering('spot', 1, false), isSuspect: true };
    const [series] = offeringSeries([[type(suspect)]], { withReserved: false });
    expect(series).toMatchObject({ available: true });
  });

  it('report types without a reservation as unavailable when reservations are enabled', () => {
    const views = [[type(offering('spot', 1, true), offering('reserved', 0.1, true))]];
    const shown = (withReserved: boolean) =>
      offeringSeries(views, { withReserved }).map(
        ({ capacityType, available }) => `${capacityType} ${available}`,
      );
    expect(shown(true).sort()).toEqual(['reserved true', 'spot true']);
    expect(shown(false)).toEqual(['spot true']);
    const without = offeringSeries([[type(offering('spot', 1, true))]], { withReserved: true });
    expect(without).toContainEqual({
      instanceType: 'm5.large',
      capacityType: 'reserved',
      zone: 'a',
      available: false,
      price: 0,
    });
  });

  it('set two gauges per offering', () => {
    const set: unknown[] = [];
    const series = offeringSeries([[type(offering('spot', 2, true))]], { withReserved: false });
    reportOfferings(series, { set: ({ name }, labels, value) => void set.push([name, labels, value]) });
    const labels = { instance_type: 'm5.large', capacity_type: 'spot', zone: 'a' };
    expect(set).toEqual([
      ['karpenter_cloudprovider_instance_type_offering_available', labels, 1],
      ['karpenter_cloudprovider_instance_type_offering_price_estimate', labels, 2],
    ]);
  });
});
