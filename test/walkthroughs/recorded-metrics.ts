import { MetricRegistry } from '@karpenter/controllers';
import type {
  CounterDefinition,
  GaugeDefinition,
  HistogramDefinition,
  MetricDefinition,
  SummaryDefinition,
} from '@karpenter/core/api';
import type { GaugeSeries, GaugeValue } from '@karpenter/core/ports';

type Labels = Readonly<Record<string, string>>;

/**
 * A registry that records every reported metric with its labels, because some series exist only for a moment.
 */
export class RecordedMetrics extends MetricRegistry {
  /** The distinct label sets of each metric, by their names as a sorted list. */
  readonly #labels = new Map<string, Map<string, readonly string[]>>();

  readonly #values = new Map<string, Set<string>>();

  /** The distinct label sets of a metric, each as a sorted list. */
  labelsOf(name: string): readonly string[] {
    return [...(this.#labels.get(name)?.keys() ?? [])];
  }

  /** The distinct label sets of a metric. */
  labelSetsOf(name: string): readonly (readonly string[])[] {
    return [...(this.#labels.get(name)?.values() ?? [])];
  }

  /** All values that a label of a metric has had. */
  valuesOf(name: string, label: string): readonly string[] {
    return [...(this.#values.get(`${name} ${label}`) ?? [])];
  }

  override increment(counter: CounterDefinition, labels: Labels, by = 1): void {
    this.#record(counter, labels);
    super.increment(counter, labels, by);
  }

  override set(gauge: GaugeDefinition, labels: Labels, value: GaugeValue): void {
    this.#record(gauge, labels);
    super.set(gauge, labels, value);
  }

  override seriesOf(gauge: GaugeDefinition, labels: Labels): GaugeSeries {
    this.#record(gauge, labels);
    return super.seriesOf(gauge, labels);
  }

  override observe(
    distribution: HistogramDefinition | SummaryDefinition,
    labels: Labels,
    value: number,
  ): void {
    this.#record(distribution, labels);
    super.observe(distribution, labels, value);
  }

  #record({ name }: MetricDefinition, labels: Labels): void {
    const names = Object.keys(labels);
    const seen = this.#labels.get(name) ?? new Map<string, readonly string[]>();
    seen.set(labelList(names), names);
    this.#labels.set(name, seen);
    for (const [label, value] of Object.entries(labels)) {
      const key = `${name} ${label}`;
      this.#values.set(key, (this.#values.get(key) ?? new Set()).add(value));
    }
  }
}

export function labelList(labels: readonly string[]): string {
  return [...labels].sort().join(', ');
}
