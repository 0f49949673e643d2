import { describe, expect, it } from 'vitest';
import { memoized, memoizedLast } from './memoized.ts';

describe('memoized', () => {
  it('computes the result of each argument once', () => {
    const calls: object[] = [];
    const sizeOf = memoized((list: readonly number[]) => {
      calls.push(list);
      return list.length;
    });
    const [one, two] = [[1], [1, 2]];
    expect([one, two, one, two].map((list) => sizeOf(list))).toEqual([1, 2, 1, 2]);
    expect(calls).toEqual([one, two]);
  });

  it('distinguishes equal arguments that are different objects', () => {
    const copyOf = memoized((list: readonly number[]) => [...list]);
    expect(copyOf([1])).not.toBe(copyOf([1]));
  });
});

describe('memoizedLast', () => {
  it('keeps the result while all arguments are the same and computes it again after another call', () => {
    const pairOf = memoizedLast((first: object, second: object) => [first, second]);
    const [a, b] = [{}, {}];
    const first = pairOf(a, b);
    expect(pairOf(a, b)).toBe(first);
    expect(pairOf(b, b)).not.toBe(first);
    expect(pairOf(a, b)).not.toBe(first);
  });
});
