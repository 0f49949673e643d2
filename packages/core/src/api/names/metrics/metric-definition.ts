/**
 * A catalogue entry for a metric. `Label` is the union of its labels, so that a wrong or missing one does not
 * compile.
 */
export type MetricDefinition<Label extends string = string> =
  | CounterDefinition<Label>
  | GaugeDefinition<Label>
  | HistogramDefinition<Label>
  | SummaryDefinition<Label>;

interface Described<Label extends string> {
  readonly name: string;
  /** One sentence that Prometheus shows. */
  readonly help: string;
  readonly labels: readonly Label[];
}

export interface CounterDefinition<Label extends string = string> extends Described<Label> {
  readonly kind: 'counter';
}

export interface GaugeDefinition<Label extends string = string> extends Described<Label> {
  readonly kind: 'gauge';
}

export interface HistogramDefinition<Label extends string = string> extends Described<Label> {
  readonly kind: 'histogram';
  /** Upper bounds, ascending, without +Inf. */
  readonly buckets: readonly number[];
}

export interface SummaryDefinition<Label extends string = string> extends Described<Label> {
  readonly kind: 'summary';
  readonly quantiles: readonly number[];
}

export function counter<const Label extends string = never>(
  name: string,
  help: string,
  labels: readonly Label[] = [],
): CounterDefinition<Label> {
  return { kind: 'counter', name, help, labels };
}

export function gauge<const Label extends string = never>(
  name: string,
  help: string,
  labels: readonly Label[] = [],
): GaugeDefinition<Label> {
  return { kind: 'gauge', name, help, labels };
}

/** Quantiles of every summary, as the dashboards expect. */
const summaryQuantiles = [0, 0.5, 0.9, 0.99, 1] as const;

export function summary<const Label extends string = never>(
  name: string,
  help: string,
  labels: readonly Label[] = [],
): SummaryDefinition<Label> {
  return { kind: 'summary', name, help, labels, quantiles: summaryQuantiles };
}

export function histogram<const Label extends string = never>(
  name: string,
  help: string,
  options: { readonly buckets: readonly number[]; readonly labels?: readonly Label[] },
): HistogramDefinition<Label> {
  return { kind: 'histogram', name, help, labels: options.labels ?? [], buckets: options.buckets };
}
