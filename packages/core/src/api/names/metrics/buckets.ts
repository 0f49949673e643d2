// Upper bounds of histogram buckets. Dashboards and alerts rely on them.

/** The default buckets of Prometheus clients. */
export const prometheusDefaultBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Seconds from 5 ms to a minute, as controller-runtime uses for reconciles. */
export const reconcileBuckets: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5,
  1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** The same extended to ten minutes, for work without a time limit. */
export const durationBuckets: readonly number[] = [...reconcileBuckets, 120, 150, 300, 450, 600];

/** Counts from 1 to 1000. */
export const sizeBuckets: readonly number[] = [
  1, 2, 4, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 125, 150, 175, 200, 225, 250, 275, 300, 350,
  400, 450, 500, 550, 600, 700, 800, 900, 1000,
];

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Seconds from 15 minutes to 30 days. */
export const lifetimeBuckets: readonly number[] = [
  15 * minute,
  30 * minute,
  45 * minute,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
  8 * hour,
  10 * hour,
  12 * hour,
  day,
  2 * day,
  3 * day,
  5 * day,
  7 * day,
  10 * day,
  15 * day,
  20 * day,
  25 * day,
  30 * day,
];

/**
 * `count` bounds, each `factor` times the previous one. Multiplied step by step, so that the last digits of
 * the bounds, which are label values, equal those of Go's Prometheus client.
 */
export function exponentialBuckets(options: {
  readonly start: number;
  readonly factor: number;
  readonly count: number;
}): readonly number[] {
  const bounds = [options.start];
  while (bounds.length < options.count) bounds.push((bounds.at(-1) ?? 0) * options.factor);
  return bounds;
}
