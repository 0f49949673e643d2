import { describe, expect, it } from 'vitest';
import { heapGrowth } from './heap-growth.ts';

const mebibyte = 1024 * 1024;

describe('the growth of a heap', () => {
  it('is a fifth while the heap is small', () => {
    expect(heapGrowth({ usedBytes: 90 * mebibyte, youngBytes: mebibyte }).percent).toBe(20);
  });

  it('stops for new objects at 8 MiB while the heap is small', () => {
    const factorAt = (young: number) =>
      heapGrowth({ usedBytes: 90 * mebibyte, youngBytes: young * mebibyte }).youngFactor;
    expect([1, 4, 8, 16].map(factorAt)).toEqual([2, 2, 1, 1]);
  });

  it('is two fifths for a large heap, with as much room for new objects as V8 likes', () => {
    expect(heapGrowth({ usedBytes: 200 * mebibyte, youngBytes: 16 * mebibyte })).toEqual({
      percent: 40,
      youngFactor: 2,
    });
  });
});
