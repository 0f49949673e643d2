import { type DisruptionReason, nodePoolMetrics } from '@karpenter/core/api';
import type { PoolBudget } from '@karpenter/core/disruption';
import type { Meters } from '@karpenter/core/ports';
import { GaugeSet } from '../gauges/index.ts';

/**
 * Publishes the allowed disruptions of each NodePool and how many of its nodes consume them. The series of a
 * NodePool end when the NodePool is deleted, so that dashboards do not show budgets of pools that no longer
 * exist.
 */
export class BudgetGauges {
  readonly #meters: Pick<Meters, 'seriesOf'>;
  readonly #gaugesByReason = new Map<DisruptionReason, GaugeSet>();

  constructor(meters: Pick<Meters, 'seriesOf'>) {
    this.#meters = meters;
  }

  /** Sets the gauges of one reason; `budgets` has every NodePool, and series of all others are removed. */
  show(reason: DisruptionReason, budgets: ReadonlyMap<string, PoolBudget>): void {
    const gauges = this.#gaugesByReason.get(reason) ?? new GaugeSet(this.#meters);
    this.#gaugesByReason.set(reason, gauges);
    for (const [nodepool, { allowed, consuming }] of budgets) {
      // As in Karpenter these gauges have CamelCase reasons, while decision metrics have lower case.
      const labels = { nodepool, reason };
      gauges.show(nodepool, [
        { gauge: nodePoolMetrics.allowedDisruptions, labels, value: allowed },
        { gauge: nodePoolMetrics.nodesConsumingBudgets, labels, value: consuming },
      ]);
    }
    gauges.keep(new Set(budgets.keys()));
  }
}
