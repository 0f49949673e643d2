import type { CounterDefinition, HistogramDefinition } from '@karpenter/core/api';

/** Where the provider reports what happened. */
export interface Counters {
  increment<Label extends string>(
    counter: CounterDefinition<Label>,
    labels: Readonly<Record<Label, string>>,
  ): void;
  observe<Label extends string>(
    histogram: HistogramDefinition<Label>,
    labels: Readonly<Record<Label, string>>,
    value: number,
  ): void;
}
