import { describe, expect, it } from 'vitest';
import { concurrency, concurrencyRanges } from './tuning.ts';

describe('concurrency', () => {
  it('is linear from one core to sixty', () => {
    expect(concurrency(concurrencyRanges.lifecycle, 1000)).toBe(1000);
    expect(concurrency(concurrencyRanges.lifecycle, 60_000)).toBe(5000);
    expect(concurrency(concurrencyRanges.other, 30_500)).toBe(505);
  });

  it('is constant outside that range', () => {
    expect(concurrency(concurrencyRanges.state, 100)).toBe(10);
    expect(concurrency(concurrencyRanges.state, 96_000)).toBe(3000);
  });
});
