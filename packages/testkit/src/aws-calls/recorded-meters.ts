import type { MetricDefinition } from '@karpenter/core/api';
import type { GaugeSeries, GaugeValue, Meters } from '@karpenter/core/ports';

type Labels = Readonly<Record<string, string>>;

/** Records metrics by series, in the notation of Prometheus: `name{label="value"}`. */
export class RecordedSeries implements Meters {
  readonly counts = new Map<string, number>();
  readonly gauges = new Map<string, GaugeValue>();
  readonly observed = new Map<string, number[]>();

  increment(metric: MetricDefinition, labels: Labels, by = 1): void {
    const series = seriesOf(metric.name, labels);
    this.counts.set(series, (this.counts.get(series) ?? 0) + by);
  }

  observe(metric: MetricDefinition, labels: Labels, value: number): void {
    const series = seriesOf(metric.name, labels);
    this.observed.set(series, [...(this.observed.get(series) ?? []), value]);
  }

  set(metric: MetricDefinition, labels: Labels, value: GaugeValue): void {
    this.gauges.set(seriesOf(metric.name, labels), value);
  }

  seriesOf(metric: MetricDefinition, labels: Labels): GaugeSeries {
    const series = seriesOf(metric.name, labels);
    return { set: (value) => this.gauges.set(series, value), end: () => this.gauges.delete(series) };
  }

  remove({ name }: MetricDefinition, labels: Partial<Labels>): void {
    const parts = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
    for (const kept of [this.counts, this.gauges, this.observed]) {
      for (const series of kept.keys()) {
        if (series.startsWith(name) && parts.every((part) => series.includes(part))) kept.delete(series);
      }
    }
  }

  /** Sum over all series of a metric. */
  total({ name }: MetricDefinition): number {
    const counts = [...this.counts].filter(([series]) => series === name || series.startsWith(`${name}{`));
    return counts.reduce((sum, [, count]) => sum + count, 0);
  }
}

function seriesOf(name: string, labels: Labels): string {
  const parts = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  return parts.length === 0 ? name : `${name}{${parts.sort().join()}}`;
}
