import type {
  CounterDefinition,
  GaugeDefinition,
  HistogramDefinition,
  MetricDefinition,
  SummaryDefinition,
} from '@karpenter/core/api';
import type { GaugeSeries, GaugeValue, Meters } from '@karpenter/core/ports';
import { type Clock, systemClock } from '../clock/index.ts';
import { Family, type MakeSeries } from './family.ts';
import { Histogram, ScalarSeries, type Series, Summary } from './series.ts';
import { SharedTexts } from './shared-texts.ts';

type Labels = Readonly<Record<string, string>>;

/** The metrics of the process, and their text in the Prometheus exposition format. */
export class MetricRegistry implements Meters {
  readonly #scalars = new Map<string, Family<ScalarSeries>>();
  readonly #distributions = new Map<string, Family<Histogram | Summary>>();
  readonly #texts = new SharedTexts();
  readonly #collectors: (() => void)[] = [];
  readonly #clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.#clock = clock;
  }

  /** Registers a callback for metrics that are computed at each scrape rather than on every change. */
  beforeScrape(collect: () => void): void {
    this.#collectors.push(collect);
  }

  increment(counter: CounterDefinition, labels: Labels, by = 1): void {
    this.#scalar(counter).of(labels).add(by);
  }

  set(gauge: GaugeDefinition, labels: Labels, value: GaugeValue): void {
    this.#scalar(gauge).of(labels).set(value);
  }

  seriesOf(gauge: GaugeDefinition, labels: Labels): GaugeSeries {
    return this.#scalar(gauge).of(labels);
  }

  observe(distribution: HistogramDefinition | SummaryDefinition, labels: Labels, value: number): void {
    this.#distribution(distribution).of(labels).observe(value);
  }

  remove(metric: MetricDefinition, labels: Partial<Labels>): void {
    this.#families().get(metric.name)?.remove(labels);
  }

  /**
   * The exposition line by line, sorted by metric name. It is a generator because a large cluster has
   * hundreds of thousands of lines, and the endpoint yields to the event loop between them.
   */
  *exposition(): Generator<string> {
    for (const collect of this.#collectors) collect();
    const now = this.#clock.now();
    const families = [...this.#families()].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [, family] of families) yield* family.lines(now);
  }

  #families(): ReadonlyMap<string, Family<Series>> {
    return new Map<string, Family<Series>>([...this.#scalars, ...this.#distributions]);
  }

  #scalar(definition: MetricDefinition): Family<ScalarSeries> {
    return this.#familyIn(this.#scalars, definition, (family, text) => new ScalarSeries(family, text));
  }

  #distribution(definition: HistogramDefinition | SummaryDefinition): Family<Histogram | Summary> {
    return this.#familyIn(this.#distributions, definition, () =>
      definition.kind === 'histogram' ? new Histogram(definition.buckets) : new Summary(definition.quantiles),
    );
  }

  #familyIn<S extends Series>(
    families: Map<string, Family<S>>,
    definition: MetricDefinition,
    make: MakeSeries<S>,
  ): Family<S> {
    const known = families.get(definition.name);
    if (known !== undefined) return known;
    const family = new Family(definition, make, this.#texts);
    families.set(definition.name, family);
    return family;
  }
}
