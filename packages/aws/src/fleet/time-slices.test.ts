import { milliseconds } from '@karpenter/core/api';
import { describe, expect, it } from 'vitest';
import { TimeSlices } from './time-slices.ts';

describe('time slices', () => {
  it('let others run once work has taken its time, and keep its order', async () => {
    let now = 1000;
    const slices = new TimeSlices({ now: () => now }, milliseconds(20));
    const done: string[] = [];
    const works = Array.from({ length: 7 }, (_, index) =>
      slices.run(() => {
        now += 8;
        done.push(`work ${index}`);
        setImmediate(() => done.push(`after ${index}`));
        return index;
      }),
    );
    expect(await Promise.all(works)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(done.filter((what) => what.startsWith('work'))).toEqual(
      Array.from({ length: 7 }, (_, index) => `work ${index}`),
    );
    // Three fit into a slice; what the first three had asked for happens before the seventh.
    expect(done.indexOf('after 0')).toBeLessThan(done.indexOf('work 6'));
    expect(done.indexOf('after 0')).toBeGreaterThan(done.indexOf('work 2'));
  });

  it('hand on what goes wrong in the work', async () => {
    const slices = new TimeSlices({ now: () => 1000 }, milliseconds(20));
    const failing = slices.run(() => {
      throw new Error('out of order');
    });
    await expect(failing).rejects.toThrow('out of order');
    expect(await slices.run(() => 'next')).toBe('next');
  });
});
