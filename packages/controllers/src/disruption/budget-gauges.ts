import { type DisruptionReason, nodePoolMetrics } from '@karpenter/core/api';
import type { PoolBudget } from '@karpenter/core/disruption';
import type { Meters } from '@karpenter/core/ports';
import { GaugeBook } from '../gauges/index.ts';

/** Shows what budgets allow and what of it is used, as long as their pool is there. */
export class BudgetGauges {
  readonly #meters: Pick<Meters, 'seriesOf'>;
  readonly #books = new Map<DisruptionReason, GaugeBook>();

  constructor(meters: Pick<Meters, 'seriesOf'>) {
    this.#meters = meters;
  }

  /** All budgets that there are for a reason. */
  show(reason: DisruptionReason, budgets: ReadonlyMap<string, PoolBudget>): void {
    const book = this.#books.get(reason) ?? new GaugeBook(this.#meters);
    this.#books.set(reason, book);
    for (const [nodepool, { allowed, consuming }] of budgets) {
      const labels = { nodepool, reason };
      book.show(nodepool, [
        { gauge: nodePoolMetrics.allowedDisruptions, labels, value: allowed },
        { gauge: nodePoolMetrics.nodesConsumingBudgets, labels, value: consuming },
      ]);
    }
    book.keep(new Set(budgets.keys()));
  }
}
