import type {
  CounterDefinition,
  GaugeDefinition,
  HistogramDefinition,
  MetricDefinition,
  SummaryDefinition,
} from '@karpenter/core/api';
import type { GaugeSeries, GaugeValue, Meters } from '@karpenter/core/ports';
import { type Clock, systemClock } from '@karpenter/kube/runtime';
import { Family, type MakeSeries } from './family.ts';
import { Figure, Histogram, type Series, Summary } from './series.ts';

type Labels = Readonly<Record<string, string>>;

/** All metrics of the process, and their text for Prometheus. */
export class MetricRegistry implements Meters {
  readonly #figures = new Map<string, Family<Figure>>();
  readonly #distributions = new Map<string, Family<Histogram | Summary>>();
  readonly #collectors: (() => void)[] = [];
  readonly #clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.#clock = clock;
  }

  /** Called before each scrape, for figures that nobody tells of as they change. */
  beforeScrape(collect: () => void): void {
    this.#collectors.push(collect);
  }

  increment(counter: CounterDefinition, labels: Labels, by = 1): void {
    this.#figure(counter).of(labels).add(by);
  }

  set(gauge: GaugeDefinition, labels: Labels, value: GaugeValue): void {
    this.#figure(gauge).of(labels).set(value);
  }

  seriesOf(gauge: GaugeDefinition, labels: Labels): GaugeSeries {
    return this.#figure(gauge).of(labels);
  }

  observe(distribution: HistogramDefinition | SummaryDefinition, labels: Labels, value: number): void {
    this.#distribution(distribution).of(labels).observe(value);
  }

  remove(metric: MetricDefinition, labels: Partial<Labels>): void {
    this.#families().get(metric.name)?.remove(labels);
  }

  /** In pieces, by name of the metric: a large cluster has a hundred thousand lines, and watches must go on between. */
  *exposition(): Generator<string> {
    for (const collect of this.#collectors) collect();
    const now = this.#clock.now();
    const families = [...this.#families()].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [, family] of families) yield* family.lines(now);
  }

  #families(): ReadonlyMap<string, Family<Series>> {
    return new Map<string, Family<Series>>([...this.#figures, ...this.#distributions]);
  }

  #figure(definition: MetricDefinition): Family<Figure> {
    return familyIn(this.#figures, definition, (family, text) => new Figure(family, text));
  }

  #distribution(definition: HistogramDefinition | SummaryDefinition): Family<Histogram | Summary> {
    return familyIn(this.#distributions, definition, () =>
      definition.kind === 'histogram' ? new Histogram(definition.buckets) : new Summary(definition.quantiles),
    );
  }
}

function familyIn<S extends Series>(
  families: Map<string, Family<S>>,
  definition: MetricDefinition,
  make: MakeSeries<S>,
): Family<S> {
  const known = families.get(definition.name);
  if (known !== undefined) return known;
  const family = new Family(definition, make);
  families.set(definition.name, family);
  return family;
}
