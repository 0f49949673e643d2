import { describe, expect, it } from 'vitest';
import { stackedSeries } from './stacked-series.ts';

describe('the series of the chart', () => {
  it('are stacked, also where a name is missing at a time', () => {
    const sample = (at: number, parts: Record<string, number>, onDemandHourly?: number) => ({
      at,
      hourly: 0,
      byPool: new Map(),
      byCapacityType: new Map(Object.entries(parts)),
      ...(onDemandHourly !== undefined && { onDemandHourly }),
    });
    const series = stackedSeries(
      [sample(1000, { spot: 1 }), sample(2000, { spot: 2, 'on-demand': 3 }, 9)],
      'byCapacityType',
    );
    expect(series).toEqual({
      times: [1, 2],
      names: ['on-demand', 'spot'],
      stacks: [
        [0, 3],
        [1, 5],
      ],
      onDemand: [null, 9],
    });
  });
});
