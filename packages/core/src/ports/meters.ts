import type {
  CounterDefinition,
  GaugeDefinition,
  HistogramDefinition,
  MetricDefinition,
  SummaryDefinition,
} from '../api/index.ts';

type LabelsOf<Label extends string> = Readonly<Record<Label, string>>;

/** Where it is reported what happened. */
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

/** The seconds since a moment, counted whenever somebody looks. */
export interface Age {
  readonly since: number;
}

export type GaugeValue = number | Age;

/** One series of a gauge, for who keeps many: labels are told once. */
export interface GaugeSeries {
  set(value: GaugeValue): void;
  /** What it is about is gone. */
  end(): void;
}

/** Where figures are reported that go up and down. */
export interface Gauges {
  set<Label extends string>(gauge: GaugeDefinition<Label>, labels: LabelsOf<Label>, value: GaugeValue): void;
}

/** All metrics of the process. */
export interface Meters extends Counters, Gauges {
  /** The same object for the same labels, until it is ended. */
  seriesOf<Label extends string>(gauge: GaugeDefinition<Label>, labels: LabelsOf<Label>): GaugeSeries;
  /** Ends every series whose labels agree with the given ones: what they are about is gone. */
  remove<Label extends string>(
    metric: MetricDefinition<Label>,
    labels: Partial<LabelsOf<NoInfer<Label>>>,
  ): void;
}
