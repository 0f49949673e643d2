import { describe, expect, it } from 'vitest';
import { batches, rounds, seeds } from './rounds.ts';

const counts = { quick: 2, full: 5 };

describe('the rounds of a randomized test', () => {
  it('are few by default', () => {
    expect(rounds(counts, {})).toBe(2);
  });

  it('are all of them where every tier must run', () => {
    expect(rounds(counts, { KARPENTER_TEST: 'all' })).toBe(5);
  });

  it('are as many as KARPENTER_ROUNDS says, also where every tier must run', () => {
    expect(rounds(counts, { KARPENTER_ROUNDS: '30', KARPENTER_TEST: 'all' })).toBe(30);
  });

  it('ignore an empty variable', () => {
    expect(rounds(counts, { KARPENTER_ROUNDS: '' })).toBe(2);
  });

  it.each(['0', '-1', '2.5', 'many', '1e3'])('fail for KARPENTER_ROUNDS=%s', (text) => {
    expect(() => rounds(counts, { KARPENTER_ROUNDS: text })).toThrow('is not a positive integer');
  });

  it('have consecutive seeds from 1, or from KARPENTER_FIRST_SEED', () => {
    expect(seeds(counts, {})).toEqual([1, 2]);
    expect(seeds(counts, { KARPENTER_FIRST_SEED: '41' })).toEqual([41, 42]);
  });

  it('come in batches of which the last may be smaller', () => {
    expect(batches([4, 5, 6, 7, 8], 2)).toEqual([
      { first: 4, last: 5, seeds: [4, 5] },
      { first: 6, last: 7, seeds: [6, 7] },
      { first: 8, last: 8, seeds: [8] },
    ]);
  });
});
