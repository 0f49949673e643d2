import type { GaugeDefinition } from '@karpenter/core/api';

/** Where the provider reports figures that go up and down. */
export interface Gauges {
  set<Label extends string>(
    gauge: GaugeDefinition<Label>,
    labels: Readonly<Record<Label, string>>,
    value: number,
  ): void;
}
