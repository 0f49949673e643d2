import { liveWriters, priceDocument } from '../what-if/index.ts';
import type { GroupSimulation } from './group-simulation.ts';

/** The plan, the pods without a place and the price before and after. */
export function simulationText(simulation: GroupSimulation, width?: number): string {
  const { simulated, facts, misfits, idlePrice } = simulation;
  const { now, after } = priceDocument(simulated, facts);
  const idle = idlePrice > 0 ? ` (${dollars(idlePrice)} of it for idle nodes of static NodePools)` : '';
  const lines = [
    liveWriters.table(simulated, facts, { width }),
    ...misfits.map(({ pod, cause }) => `no place for ${pod}: ${cause}\n`),
    `price before ${dollars(now)}, after ${dollars(after + idlePrice)}${idle}\n`,
  ];
  return lines.join('\n');
}

export function simulationDocument({ simulated, facts, misfits, idlePrice }: GroupSimulation): object {
  const price = priceDocument(simulated, facts);
  const priced = { ...price, after: price.after + idlePrice };
  return { misfits, price: priced, newNodes: simulated.plan.newNodes.length };
}

function dollars(amount: number): string {
  return `$${amount.toFixed(3)} an hour`;
}
