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
  readonly #labels = new Map<string, Set<string>>();

  /** The distinct label sets of a metric, each as a sorted list. */
  labelsOf(name: string): readonly string[] {
    return [...(this.#labels.get(name) ?? [])];
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
    const seen = this.#labels.get(name) ?? new Set();
    seen.add(labelList(Object.keys(labels)));
    this.#labels.set(name, seen);
  }
}

export function labelList(labels: readonly string[]): string {
  return [...labels].sort().join(', ');
}
