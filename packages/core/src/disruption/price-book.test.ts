import { instanceType, planOptions } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import type { InstanceType } from '../ports/index.ts';
import type { WrittenRequirement } from '../requirements/index.ts';
import type { PlannedNode } from '../scheduling/index.ts';
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

describe('the most that a launch may cost', () => {
  it('is the dearest spot offering where spot can be had, whatever on-demand costs', () => {
    expect(worstPrice(priced([0.1, 0.2]))).toBe(0.2);
  });

  it('is what on-demand costs where no spot can be had, or none is wanted', () => {
    expect(worstPrice(priced([0.1, 0.2], ['a/spot', 'b/spot']))).toBe(0.5);
    expect(worstPrice(priced([0.1, 0.2]), [capacityType('on-demand')])).toBe(0.5);
  });

  it('is that of a reservation where one is left', () => {
    const reserved = instanceType('m', {
      price: 0.5,
      spotPrice: 0.2,
      capacityTypes: both,
      reservations: [{ id: 'r-1', capacity: 1 }],
    });
    expect(worstPrice(reserved)).toBeLessThan(0.2);
  });

  it('counts only what can be had where the node may be', () => {
    const inA = { key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: ['a'] };
    expect(worstPrice(priced([0.1, 0.2]), [inA])).toBe(0.1);
    expect(worstPrice(priced([0.1, 0.2], ['b/spot']))).toBe(0.1);
  });

  it('is beyond everything where nothing can be had', () => {
    expect(worstPrice(priced([0.1, 0.2]), [capacityType('reserved')])).toBe(Number.POSITIVE_INFINITY);
  });
});
