/** The figures of one metric with one set of label values. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  /** Lines of the exposition: suffix of the name, further labels, value. */
  samples(): readonly Sample[];
}

export interface Sample {
  readonly suffix: string;
  readonly label?: readonly [name: string, value: string];
  readonly value: number;
}

type Labels = Series['labels'];

/** A counter or a gauge. */
export class Figure implements Series {
  readonly labels: Labels;
  value = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  samples(): readonly Sample[] {
    return [{ suffix: '', value: this.value }];
  }
}

export class Histogram implements Series {
  readonly labels: Labels;
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(labels: Labels, bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.#sum += value;
    this.#count += 1;
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    if (bucket >= 0) this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
  }

  samples(): readonly Sample[] {
    let below = 0;
    const buckets = this.#bounds.map((bound, index): Sample => {
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

/** How many of the latest values quantiles are taken from. */
const remembered = 500;

export class Summary implements Series {
  readonly labels: Labels;
  readonly #quantiles: readonly number[];
  readonly #latest: number[] = [];
  #sum = 0;
  #count = 0;

  constructor(labels: Labels, quantiles: readonly number[]) {
    this.labels = labels;
    this.#quantiles = quantiles;
  }

  observe(value: number): void {
    this.#latest[this.#count % remembered] = value;
    this.#sum += value;
    this.#count += 1;
  }

  samples(): readonly Sample[] {
    const sorted = this.#latest.toSorted((a, b) => a - b);
    const quantiles = this.#quantiles.map(
      (quantile): Sample => ({
        suffix: '',
        label: ['quantile', String(quantile)],
        value: sorted[Math.max(0, Math.ceil(quantile * sorted.length) - 1)] ?? Number.NaN,
      }),
    );
    return [...quantiles, { suffix: '_sum', value: this.#sum }, { suffix: '_count', value: this.#count }];
  }
}
