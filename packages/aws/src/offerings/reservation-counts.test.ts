import { hours } from '@karpenter/core/api';
import { describe, expect, it } from 'vitest';
import { ReservationCounts } from './reservation-counts.ts';

describe('counts of capacity reservations', () => {
  it('are zero for unknown reservations', () => {
    expect(new ReservationCounts(() => 0).free('cr-1')).toBe(0);
  });

  it('decrease with launches, never below zero, and increase with terminations', () => {
    const counts = new ReservationCounts(() => 0);
    counts.read(new Map([['cr-1', 1]]));
    counts.markLaunched('cr-1');
    counts.markLaunched('cr-1');
    expect(counts.free('cr-1')).toBe(0);
    counts.markTerminated('cr-1');
    counts.markTerminated('cr-1');
    expect(counts.free('cr-1')).toBe(2);
  });

  it('drop to zero when a launch fails, until EC2 reports again', () => {
    const counts = new ReservationCounts(() => 0);
    counts.read(new Map([['cr-1', 5]]));
    counts.markUnavailable('cr-1');
    expect(counts.free('cr-1')).toBe(0);
    counts.read(new Map([['cr-1', 4]]));
    expect(counts.free('cr-1')).toBe(4);
  });

  it('expire after a day', () => {
    let now = 0;
    const counts = new ReservationCounts(() => now);
    counts.read(new Map([['cr-1', 5]]));
    now = hours(24);
    expect(counts.free('cr-1')).toBe(0);
  });

  it('have a version that changes only with a count', () => {
    const counts = new ReservationCounts(() => 0);
    counts.read(new Map([['cr-1', 5]]));
    const before = counts.version;
    counts.read(new Map([['cr-1', 5]]));
    expect(counts.version).toBe(before);
    counts.markLaunched('cr-1');
    expect(counts.version).toBe(before + 1);
  });
});
