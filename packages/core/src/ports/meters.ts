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

/** Where figures are reported that go up and down. */
export interface Gauges {
  set<Label extends string>(gauge: GaugeDefinition<Label>, labels: LabelsOf<Label>, value: number): void;
}

/** All metrics of the process. */
export interface Meters extends Counters, Gauges {
  /** Ends every series whose labels agree with the given ones: what they are about is gone. */
  remove<Label extends string>(
    metric: MetricDefinition<Label>,
    labels: Partial<LabelsOf<NoInfer<Label>>>,
  ): void;
}
