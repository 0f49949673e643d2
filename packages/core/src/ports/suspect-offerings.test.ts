import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { isAvailableOrSuspect, withSuspects } from './index.ts';

const sure = instanceType('sure', { price: 1 });
const { offerings } = instanceType('suspect', {
  price: 1,
  zones: ['a', 'b', 'c'],
  unavailable: ['c/on-demand'],
});
const suspect = {
  ...instanceType('suspect', { price: 1 }),
  offerings: offerings.map((offering, index) =>
    index === 0 ? { ...offering, available: false, isSuspect: true } : offering,
  ),
};

describe('suspect offerings', () => {
  it('may be available, unlike unavailable ones', () => {
    expect(suspect.offerings.map(isAvailableOrSuspect)).toEqual([true, true, false]);
  });

  it('count as available when they are trusted', () => {
    const [first, second] = withSuspects([sure, suspect]);
    expect(first).toBe(sure);
    expect(second?.offerings).toEqual(offerings);
  });

  it('are converted once per list, and a list without any is returned as it is', () => {
    const types = [sure];
    expect(withSuspects(types)).toBe(types);
    const some = [suspect];
    expect(withSuspects(some)).toBe(withSuspects(some));
  });
});
