import type { MetricDefinition } from '@karpenter/core/api';
import type { GaugeSeries, GaugeValue, Log, LogFields, Meters } from '@karpenter/core/ports';
import type { ClusterEvent, EventRecorder } from '@karpenter/kube/runtime';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'error';
  readonly message: string;
  readonly fields: LogFields;
}

/** Records log lines. */
export class RecordedLog implements Log {
  readonly lines: LogLine[] = [];

  debug(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'debug', message, fields });
  }

  info(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'info', message, fields });
  }

  error(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'error', message, fields });
  }

  /** The fields of each line with this message. */
  of(message: string): readonly LogFields[] {
    return this.lines.filter((line) => line.message === message).map(({ fields }) => fields);
  }
}

/** Records published events, before deduplication. */
export class RecordedEvents implements EventRecorder {
  readonly published: ClusterEvent[] = [];

  publish(...events: readonly ClusterEvent[]): void {
    this.published.push(...events);
  }

  async flush(): Promise<void> {}

  /** Each as `Kind/name Reason: message`. */
  get texts(): readonly string[] {
    return this.published.map(
      ({ definition, kind, object, message }) =>
        `${kind.kind}/${object.metadata?.name} ${definition.reason}: ${message}`,
    );
  }
}

type Labels = Readonly<Record<string, string>>;

class Series implements GaugeSeries {
  readonly metric: string;
  readonly labels: Labels;
  readonly end: () => void;
  readonly #now: () => number;
  #values: readonly GaugeValue[] = [];

  constructor({ name }: MetricDefinition, labels: Labels, now: () => number, end: () => void) {
    this.metric = name;
    this.labels = labels;
    this.end = end;
    this.#now = now;
  }

  get values(): readonly number[] {
    return this.#values.map((value) =>
      typeof value === 'number' ? value : Math.max(0, (this.#now() - value.since) / 1000),
    );
  }

  set(value: GaugeValue): void {
    this.#values = [value];
  }

  observe(value: number): void {
    this.#values = [...this.#values, value];
  }
}

/** Records metrics: the last value of counters and gauges, every observation of histograms. */
export class RecordedMeters implements Meters {
  readonly #series = new Map<string, Series>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  increment(counter: MetricDefinition, labels: Labels, by = 1): void {
    const series = this.#of(counter, labels);
    series.set((series.values[0] ?? 0) + by);
  }

  observe(distribution: MetricDefinition, labels: Labels, value: number): void {
    this.#of(distribution, labels).observe(value);
  }

  set(gauge: MetricDefinition, labels: Labels, value: GaugeValue): void {
    this.#of(gauge, labels).set(value);
  }

  seriesOf(gauge: MetricDefinition, labels: Labels): GaugeSeries {
    return this.#of(gauge, labels);
  }

  remove(metric: MetricDefinition, labels: Partial<Labels>): void {
    for (const [key, series] of this.#series) {
      const isMeant = Object.entries(labels).every(([name, value]) => series.labels[name] === value);
      if (series.metric === metric.name && isMeant) this.#series.delete(key);
    }
  }

  /** The values of a metric, for the series that have the given labels. */
  values(metric: MetricDefinition, labels: Labels = {}): readonly number[] {
    return this.series(metric)
      .filter((series) => Object.entries(labels).every(([name, value]) => series.labels[name] === value))
      .flatMap((series) => series.values);
  }

  series(metric: MetricDefinition): readonly Readonly<Series>[] {
    return [...this.#series.values()].filter((series) => series.metric === metric.name);
  }

  #of(metric: MetricDefinition, labels: Labels): Series {
    const missing = metric.labels.filter((label) => !(label in labels));
    if (missing.length > 0) throw new Error(`${metric.name} was reported without ${missing.join(', ')}`);
    const key = [metric.name, ...metric.labels.map((label) => labels[label])].join('\0');
    const end = () => this.#series.delete(key);
    const series = this.#series.get(key) ?? new Series(metric, labels, this.#now, end);
    this.#series.set(key, series);
    return series;
  }
}
