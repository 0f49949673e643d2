import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { mapInSlices } from './map-in-slices.ts';

describe('mapInSlices', () => {
  it('yields to the event loop after each five milliseconds of work', async () => {
    let now = 0;
    const seen: string[] = [];
    const made = await mapInSlices(
      [1, 2, 3, 4, 5, 6, 7],
      (item) => {
        now += 2;
        seen.push(`item ${item}`);
        if (item % 3 === 1) setImmediate(() => seen.push('others'));
        return item * 10;
      },
      { monotonic: () => now },
    );
    expect(made).toEqual([10, 20, 30, 40, 50, 60, 70]);
    const slice = (...items: number[]) => [...items.map((item) => `item ${item}`), 'others'];
    expect(seen).toEqual([...slice(1, 2, 3), ...slice(4, 5, 6), 'item 7']);
  });

  it('starts at once', () => {
    const seen: number[] = [];
    void mapInSlices([1, 2, 3], (item) => seen.push(item), new VirtualClock());
    expect(seen).toEqual([1, 2, 3]);
  });

  it('rejects with what the work throws', async () => {
    const failing = () => {
      throw new Error('failed');
    };
    await expect(mapInSlices([1], failing, new VirtualClock())).rejects.toThrow('failed');
  });
});
