import type { PlannedNode } from '@karpenter/core/scheduling';
import type { Simulated } from '../simulate/index.ts';
import type { LiveFacts } from './live-simulation.ts';

/** The price of the cluster in dollars an hour, before and after. */
interface PriceDocument {
  readonly now: number;
  /** With the changes and with the new nodes of the plan. */
  readonly after: number;
  /** If consolidation was searched. */
  readonly afterConsolidation?: number;
  readonly nodesNow: number;
  readonly nodesAfter: number;
  /** Nodes without a known price; no price includes them. */
  readonly unpricedNodes: number;
  readonly isEstimated: boolean;
}

export function priceDocument(
  { plan }: Simulated,
  { before, kept, consolidation }: LiveFacts,
): PriceDocument {
  const after = kept.hourly + plan.newNodes.reduce((sum, { price }) => sum + price, 0);
  const isSearched = typeof consolidation === 'object';
  return {
    now: rounded(before.hourly),
    after: rounded(after),
    ...(isSearched && { afterConsolidation: rounded(after - savedBy(consolidation.commands)) }),
    nodesNow: before.nodes + before.unpriced,
    nodesAfter: kept.nodes + kept.unpriced + plan.newNodes.length,
    unpricedNodes: kept.unpriced,
    isEstimated: before.isEstimated || kept.isEstimated || plan.newNodes.some(isSpot),
  };
}

/** Spot prices of the catalogue are estimates. */
function isSpot({ choice }: PlannedNode): boolean {
  return choice.offering.capacityType === 'spot';
}

export function priceLines(simulated: Simulated, facts: LiveFacts): readonly string[] {
  const price = priceDocument(simulated, facts);
  const consolidated =
    price.afterConsolidation === undefined
      ? ''
      : `, ${dollars(price.afterConsolidation)} after consolidation`;
  const unpriced =
    price.unpricedNodes === 0
      ? []
      : [`Not included: ${counted(price.unpricedNodes, 'node')} without a known price.`];
  return [
    `Price an hour: ${dollars(price.now)} now for ${counted(price.nodesNow, 'node')}, ` +
      `${dollars(price.after)} after for ${counted(price.nodesAfter, 'node')}${consolidated}.`,
    ...unpriced,
    ...(price.isEstimated ? ['Some prices are estimates, such as those of spot instances.'] : []),
  ];
}

export function savedBy(commands: readonly { readonly savings: number }[]): number {
  return commands.reduce((sum, { savings }) => sum + savings, 0);
}

export function dollars(amount: number): string {
  return `$${amount.toFixed(4)}`;
}

export function counted(value: number, noun: string): string {
  return `${value.toLocaleString('en-US')} ${noun}${value === 1 ? '' : 's'}`;
}

/** Removes the rounding error of summed binary fractions. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
