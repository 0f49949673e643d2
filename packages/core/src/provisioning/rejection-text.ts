import type { PoolRejection, Rejection } from '../scheduling/index.ts';

interface SharedReason {
  readonly opening: string;
  readonly rest: string;
  readonly pools: string[];
}

const details = ', requirements=';

/**
 * Why no NodePool takes a pod, for events and the log: Karpenter's sentence for each reason, followed by the NodePools
 * that have it. NodePools with the same reason share one sentence, that of the first: it differs from the others only
 * in the requirements that it lists. The names come before these, because long events are cut off at their end.
 */
export function rejectionText({ reasons, message }: Pick<Rejection, 'reasons' | 'message'>): string {
  const shared = new Map<string, SharedReason>();
  for (const reason of inOrder(reasons)) {
    const text = withoutPool(reason);
    const [opening = text] = text.split(details, 1);
    const found = shared.get(opening) ?? { opening, rest: text.slice(opening.length), pools: [] };
    if (reason.nodePool !== undefined) found.pools.push(reason.nodePool);
    shared.set(opening, found);
  }
  return shared.size === 0 ? message : [...shared.values()].map(sentence).join('; ');
}

function inOrder(reasons: readonly PoolRejection[]): readonly PoolRejection[] {
  return [...reasons].sort((a, b) => ((a.nodePool ?? '') < (b.nodePool ?? '') ? -1 : 1));
}

/** Some sentences of Karpenter name their NodePool already. */
function withoutPool({ message, nodePool }: PoolRejection): string {
  const suffix = ` (NodePool=${nodePool})`;
  return message.endsWith(suffix) ? message.slice(0, -suffix.length) : message;
}

function sentence({ opening, rest, pools }: SharedReason): string {
  return `${opening}${named(pools)}${rest}`;
}

function named(pools: readonly string[]): string {
  if (pools.length === 0) return '';
  return pools.length === 1 ? ` (NodePool=${pools[0]})` : ` (NodePools=[${pools.join(', ')}])`;
}
