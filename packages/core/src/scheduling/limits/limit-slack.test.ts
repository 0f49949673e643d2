import { describe, expect, it } from 'vitest';
import type { TemplateOffer } from '../instance-types/node-template.ts';
import { sharedSlack } from './limit-slack.ts';

/** Offers of types that take so much of the limits, the cheapest first. */
const offersOf = (...footprints: readonly (readonly number[])[]) =>
  footprints.map((amounts) => ({
    of: { limitUsage: Float64Array.from(amounts) },
  })) as unknown as TemplateOffer[];

const ceilings = (offers: readonly TemplateOffer[], nodes: number, left: readonly number[]) => {
  const charged = offers[0]?.of.limitUsage ?? new Float64Array();
  const counted = Array.from({ length: nodes }, () => ({ charged, offers }));
  return sharedSlack(counted, Float64Array.from(left))?.map((ceiling) => [...ceiling]);
};

describe('slack under limits', () => {
  it('excludes no type if the limits hold the largest type of every node', () => {
    expect(ceilings(offersOf([2], [64], [8]), 10, [620])).toBeUndefined();
    expect(ceilings(offersOf([2], [64], [8]), 10, [619])).toBeDefined();
  });

  it('goes to the nodes in turns, a type at a time', () => {
    const offers = offersOf([2], [4], [8]);
    expect(ceilings(offers, 3, [6])).toEqual([[4], [4], [4]]);
    expect(ceilings(offers, 3, [10])).toEqual([[8], [4], [4]]);
    expect(ceilings(offers, 3, [5])).toEqual([[4], [4], [2]]);
  });

  it('skips a large type that costs little', () => {
    expect(ceilings(offersOf([2], [96], [4], [8]), 2, [12])).toEqual([[8], [8]]);
  });

  it('holds for each limit by itself', () => {
    const offers = offersOf([2, 4], [2, 16], [4, 8]);
    expect(ceilings(offers, 2, [0, 100])).toEqual([
      [2, 16],
      [2, 16],
    ]);
    expect(ceilings(offers, 2, [4, 8])).toEqual([
      [4, 8],
      [4, 8],
    ]);
  });

  it('goes to the types of a launch request before the others', () => {
    const cheapest = Array.from({ length: 60 }, (_, index) => [2 + index]);
    const offers = offersOf(...cheapest, [1], [100]);
    expect(ceilings(offers, 2, [2 * 59])).toEqual([[61], [61]]);
    expect(ceilings(offers, 2, [2 * 59 + 39])).toEqual([[100], [61]]);
  });
});
