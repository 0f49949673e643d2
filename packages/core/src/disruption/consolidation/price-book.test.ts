import { instanceType, planOptions } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import type { InstanceType } from '../../ports/index.ts';
import type { WrittenRequirement } from '../../requirements/index.ts';
import type { PlannedNode } from '../../scheduling/index.ts';
import { PriceBook } from './price-book.ts';

const both = ['on-demand', 'spot'];
const zones = ['a', 'b'];
const capacityType = (...values: readonly string[]): WrittenRequirement => ({
  key: 'karpenter.sh/capacity-type',
  operator: 'In',
  values,
});

const plannedNode: PlannedNode = {
  nodePool: 'default',
  requirements: [],
  instanceTypes: ['m'],
  pods: [],
  requests: {},
  price: 0,
  choice: {
    offering: { instanceType: 'm', price: 0 },
    fill: {},
    bindingResources: [],
    alternatives: [],
    narrowings: [],
    passedOver: [],
  },
};

/** With spot prices by zone. */
function priced(spotPrices: readonly number[], unavailable: readonly string[] = []): InstanceType {
  const made = instanceType('m', { price: 0.5, spotPrice: 0, capacityTypes: both, zones, unavailable });
  let next = 0;
  const offerings = made.offerings.map((offering) => {
    const isSpot = offering.requirements.some(({ values }) => values?.includes('spot') === true);
    if (!isSpot) return offering;
    next += 1;
    return { ...offering, price: spotPrices[next - 1] ?? 0 };
  });
  return { ...made, offerings };
}

function worstPrice(type: InstanceType, requirements: readonly WrittenRequirement[] = []): number {
  const prices = new PriceBook(new Map([['default', [type]]]), planOptions);
  const planned = { ...plannedNode, requirements };
  return prices.worstPrice(type, prices.replacement(planned).requirements);
}

describe('the worst price of a launch', () => {
  it('is the most expensive spot offering when spot is available, whatever on-demand costs', () => {
    expect(worstPrice(priced([0.1, 0.2]))).toBe(0.2);
  });

  it('is the on-demand price when spot is unavailable or not allowed', () => {
    expect(worstPrice(priced([0.1, 0.2], ['a/spot', 'b/spot']))).toBe(0.5);
    expect(worstPrice(priced([0.1, 0.2]), [capacityType('on-demand')])).toBe(0.5);
  });

  it('is that of a reservation when one is left', () => {
    const reserved = instanceType('m', {
      price: 0.5,
      spotPrice: 0.2,
      capacityTypes: both,
      reservations: [{ id: 'r-1', capacity: 1 }],
    });
    expect(worstPrice(reserved)).toBeLessThan(0.2);
  });

  it('counts only offerings that are available and match the requirements', () => {
    const inA = { key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: ['a'] };
    expect(worstPrice(priced([0.1, 0.2]), [inA])).toBe(0.1);
    expect(worstPrice(priced([0.1, 0.2], ['b/spot']))).toBe(0.1);
  });

  it('is infinite without an available offering', () => {
    expect(worstPrice(priced([0.1, 0.2]), [capacityType('reserved')])).toBe(Number.POSITIVE_INFINITY);
  });
});
