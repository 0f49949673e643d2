import type { CostSample } from '../store/index.ts';

export type ChartGrouping = 'byPool' | 'byCapacityType';

/** Columns as a chart takes them: times in seconds, then for each name the sum of it and all names before it. */
export interface StackedSeries {
  readonly times: readonly number[];
  readonly names: readonly string[];
  readonly stacks: readonly (readonly number[])[];
  /** What everything would cost on demand; null where it is not known. */
  readonly onDemand: readonly (number | null)[];
}

export function stackedSeries(samples: readonly CostSample[], grouping: ChartGrouping): StackedSeries {
  const names = [...new Set(samples.flatMap((sample) => [...sample[grouping].keys()]))].sort();
  const values = names.map((name) => samples.map((sample) => sample[grouping].get(name) ?? 0));
  const below = samples.map(() => 0);
  const stacks = values.map((column) =>
    column.map((value, index) => {
      const top = (below[index] ?? 0) + value;
      below[index] = top;
      return top;
    }),
  );
  return {
    times: samples.map(({ at }) => at / 1000),
    names,
    stacks,
    onDemand: samples.map(({ onDemandHourly }) => onDemandHourly ?? null),
  };
}
