import type { NodePool } from '../../api/index.ts';
import { nodeOverheadPrice } from '../packing/cost.ts';
import type { PlanOptions } from '../plan-result.ts';
import type { CompiledType } from './compiled-type.ts';

/** NodePool annotation: dollars per hour for licences and agents of each node. */
export const nodeOverheadAnnotation = 'karpenter-ts/node-overhead-price';

/**
 * What a node of the pool costs besides its instance: what the provider knows of the type plus the annotation.
 * Without the annotation the default is the least, because nobody has put a price on agents.
 */
export function overheadPriceOf(nodePool: NodePool, options: PlanOptions): (type: CompiledType) => number {
  const annotated = annotatedPrice(nodePool);
  const least = Math.max(0, options.nodeOverheadPrice ?? nodeOverheadPrice);
  return ({ nodeOverheadPrice: known = 0 }) =>
    annotated === undefined ? Math.max(known, least) : known + annotated;
}

/** A price that cannot be read, or is negative, counts as unset: a typo must not stop plans. */
function annotatedPrice({ metadata }: NodePool): number | undefined {
  const text = metadata.annotations?.[nodeOverheadAnnotation]?.trim();
  const price = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(price) && price >= 0 ? price : undefined;
}
