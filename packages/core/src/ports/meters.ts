import type {
  CounterDefinition,
  GaugeDefinition,
  HistogramDefinition,
  MetricDefinition,
  SummaryDefinition,
} from '../api/index.ts';

type LabelsOf<Label extends string> = Readonly<Record<Label, string>>;

/** Counters, histograms and summaries. */
export interface Counters {
  increment<Label extends string>(
    counter: CounterDefinition<Label>,
    labels: LabelsOf<Label>,
    by?: number,
  ): void;
  observe<Label extends string>(
    distribution: HistogramDefinition<Label> | SummaryDefinition<Label>,
    labels: LabelsOf<Label>,
    value: number,
  ): void;
}

/** A gauge that shows the seconds since `since` at the time of each scrape. */
export interface Age {
  readonly since: number;
}

export type GaugeValue = number | Age;

/** One series of a gauge, for callers with many: the labels are resolved once. */
export interface GaugeSeries {
  set(value: GaugeValue): void;
  /** Removes the series, because the object it describes is gone. */
  end(): void;
}

/** Gauges. */
export interface Gauges {
  set<Label extends string>(gauge: GaugeDefinition<Label>, labels: LabelsOf<Label>, value: GaugeValue): void;
}

/** All metrics of the process. */
export interface Meters extends Counters, Gauges {
  /** Returns the same object for the same labels until it is ended. */
  seriesOf<Label extends string>(gauge: GaugeDefinition<Label>, labels: LabelsOf<Label>): GaugeSeries;
  /** Ends every series that matches the given labels, because the objects they describe are gone. */
  remove<Label extends string>(
    metric: MetricDefinition<Label>,
    labels: Partial<LabelsOf<NoInfer<Label>>>,
  ): void;
}
