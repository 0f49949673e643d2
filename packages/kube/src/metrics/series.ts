import type { Age, GaugeSeries, GaugeValue } from '@karpenter/core/ports';

/** The values of one metric for one set of labels. */
export interface Series {
  /** The samples of the exposition. `now` is needed for gauges that hold an age. */
  samples(now: number): readonly MetricSample[];
}

/** One line of the exposition: a suffix of the metric name, an additional label, the value. */
export interface MetricSample {
  readonly suffix: string;
  readonly label?: readonly [name: string, value: string];
  readonly value: number;
}

/**
 * A counter or a gauge. A gauge may hold a moment instead of a number; its value is then the age in seconds.
 */
export class ScalarSeries implements Series, GaugeSeries {
  readonly #family: { end(text: string): void };
  readonly #text: string;
  #value: GaugeValue = 0;

  constructor(family: { end(text: string): void }, text: string) {
    this.#family = family;
    this.#text = text;
  }

  end(): void {
    this.#family.end(this.#text);
  }

  set(value: GaugeValue): void {
    this.#value = value;
  }

  add(by: number): void {
    this.#value = (typeof this.#value === 'number' ? this.#value : 0) + by;
  }

  samples(now: number): readonly MetricSample[] {
    const value = this.#value;
    return [{ suffix: '', value: typeof value === 'number' ? value : secondsOf(value, now) }];
  }
}

function secondsOf({ since }: Age, now: number): number {
  return Math.max(0, (now - since) / 1000);
}

/** Counts observations per bucket; the cumulative counts of the exposition are computed at each scrape. */
export class Histogram implements Series {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.#sum += value;
    this.#count += 1;
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    if (bucket >= 0) this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
  }

  samples(): readonly MetricSample[] {
    let below = 0;
    const buckets = this.#bounds.map((bound, index): MetricSample => {
      below += this.#counts[index] ?? 0;
      return { suffix: '_bucket', label: ['le', String(bound)], value: below };
    });
    return [
      ...buckets,
      { suffix: '_bucket', label: ['le', '+Inf'], value: this.#count },
      { suffix: '_sum', value: this.#sum },
      { suffix: '_count', value: this.#count },
    ];
  }
}

/** Quantiles are computed from this many of the latest observations. */
const windowSize = 500;

/** Keeps the latest observations in a ring, and computes quantiles from them at each scrape. */
export class Summary implements Series {
  readonly #quantiles: readonly number[];
  readonly #latest: number[] = [];
  #sum = 0;
  #count = 0;

  constructor(quantiles: readonly number[]) {
    this.#quantiles = quantiles;
  }

  observe(value: number): void {
    this.#latest[this.#count % windowSize] = value;
    this.#sum += value;
    this.#count += 1;
  }

  samples(): readonly MetricSample[] {
    const sorted = this.#latest.toSorted((a, b) => a - b);
    const quantiles = this.#quantiles.map(
      (quantile): MetricSample => ({
        suffix: '',
        label: ['quantile', String(quantile)],
        value: sorted[Math.max(0, Math.ceil(quantile * sorted.length) - 1)] ?? Number.NaN,
      }),
    );
    return [...quantiles, { suffix: '_sum', value: this.#sum }, { suffix: '_count', value: this.#count }];
  }
}
