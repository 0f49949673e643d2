import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { mayBeHad, withSuspects } from './index.ts';

const sure = instanceType('sure', { price: 1 });
const { offerings } = instanceType('doubtful', {
  price: 1,
  zones: ['a', 'b', 'c'],
  unavailable: ['c/on-demand'],
});
const doubtful = {
  ...instanceType('doubtful', { price: 1 }),
  offerings: offerings.map((offering, index) =>
    index === 0 ? { ...offering, available: false, isSuspect: true } : offering,
  ),
};

describe('doubtful offerings', () => {
  it('may be had, unlike those that are known to be short', () => {
    expect(doubtful.offerings.map(mayBeHad)).toEqual([true, true, false]);
  });

  it('are like any other once the doubt is set aside', () => {
    const [first, second] = withSuspects([sure, doubtful]);
    expect(first).toBe(sure);
    expect(second?.offerings).toEqual(offerings);
  });

  it('leave a list as it is where there are none, and are set aside once for each list', () => {
    const types = [sure];
    expect(withSuspects(types)).toBe(types);
    const some = [doubtful];
    expect(withSuspects(some)).toBe(withSuspects(some));
  });
});
