import {
  getCondition,
  type NodeClaim,
  type NodePool,
  nodeClaimConditions,
  timestampMs,
} from '../../api/index.ts';
import { type DurationMs, durationMs, nsToDurationMs, parseNillableDuration } from '../../values/index.ts';

/** The value that the condition `Consolidatable` of a NodeClaim should have. */
export type ConsolidatableVerdict =
  | { readonly isConsolidatable: true }
  | {
      readonly isConsolidatable: false;
      readonly reason: 'consolidation disabled' | 'not initialized' | 'recent pod event';
      /** When to check again: the verdict may change by time alone. */
      readonly requeueAfter?: DurationMs;
    };

/**
 * A node becomes consolidatable when no pod was bound or removed for the `consolidateAfter` of its NodePool.
 */
export function evaluateConsolidatable(
  nodeClaim: NodeClaim,
  nodePool: NodePool,
  at: number,
): ConsolidatableVerdict {
  const delayMs = consolidateAfter(nodePool);
  if (delayMs === undefined) return { isConsolidatable: false, reason: 'consolidation disabled' };
  const since = lastPodEvent(nodeClaim);
  if (since === undefined) return { isConsolidatable: false, reason: 'not initialized' };
  const remaining = since + delayMs - at;
  if (remaining <= 0) return { isConsolidatable: true };
  return { isConsolidatable: false, reason: 'recent pod event', requeueAfter: durationMs(remaining) };
}

/**
 * Whether the node is within `consolidateAfter` of its last pod event. Simulations move no pods to such a
 * node if they could stay where they are.
 */
export function isWithinConsolidateAfter(nodeClaim: NodeClaim, nodePool: NodePool, at: number): boolean {
  const delayMs = consolidateAfter(nodePool);
  const since = lastPodEvent(nodeClaim);
  return delayMs !== undefined && since !== undefined && at < since + delayMs;
}

/** Parsed once per NodePool object: every node of the pool needs it in every pass. */
const delays = new WeakMap<NodePool, { readonly delayMs: DurationMs | undefined }>();

/** Undefined for `Never`. */
export function consolidateAfter(nodePool: NodePool): DurationMs | undefined {
  const delay = delays.get(nodePool) ?? { delayMs: parseConsolidateAfter(nodePool) };
  delays.set(nodePool, delay);
  return delay.delayMs;
}

function parseConsolidateAfter({ spec }: NodePool): DurationMs | undefined {
  const { ns } = parseNillableDuration(spec.disruption?.consolidateAfter ?? '0s', 'consolidateAfter');
  return ns === undefined ? undefined : nsToDurationMs(ns);
}

/**
 * Time of the last pod event, or of initialization while there was none; undefined until the node is
 * initialized.
 */
export function lastPodEvent({ status }: NodeClaim): number | undefined {
  const initialized = getCondition({ conditions: status?.conditions ?? [] }, nodeClaimConditions.initialized);
  if (initialized?.status !== 'True') return undefined;
  return timestampMs(status?.lastPodEventTime) ?? timestampMs(initialized.lastTransitionTime);
}
