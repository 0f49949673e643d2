import {
  getCondition,
  type NodeClaim,
  type NodePool,
  nodeClaimConditions,
  timestampMs,
} from '../api/index.ts';
import { type DurationMs, durationMs, nsToDurationMs, parseNillableDuration } from '../values/index.ts';

/** What the condition `Consolidatable` of a NodeClaim is to be. */
export type ConsolidatableVerdict =
  | { readonly isConsolidatable: true }
  | {
      readonly isConsolidatable: false;
      readonly reason: 'consolidation disabled' | 'not initialized' | 'recent pod event';
      /** When it may be different without anything having changed. */
      readonly requeueAfter?: DurationMs;
    };

/** A node is left alone until no pod has come or gone for the time that its pool asks for. */
export function judgeConsolidatable(
  nodeClaim: NodeClaim,
  nodePool: NodePool,
  at: number,
): ConsolidatableVerdict {
  const quiet = consolidateAfter(nodePool);
  if (quiet === undefined) return { isConsolidatable: false, reason: 'consolidation disabled' };
  const since = quietSince(nodeClaim);
  if (since === undefined) return { isConsolidatable: false, reason: 'not initialized' };
  const left = since + quiet - at;
  if (left <= 0) return { isConsolidatable: true };
  return { isConsolidatable: false, reason: 'recent pod event', requeueAfter: durationMs(left) };
}

/** Whether the node is within the time in which its pool wants it left alone: pods that could stay where they are do not go there. */
export function isSettling(nodeClaim: NodeClaim, nodePool: NodePool, at: number): boolean {
  const quiet = consolidateAfter(nodePool);
  const since = quietSince(nodeClaim);
  return quiet !== undefined && since !== undefined && at < since + quiet;
}

/** Read once for each state of a NodePool: every node of it asks, in every pass. */
const delays = new WeakMap<NodePool, { readonly quiet: DurationMs | undefined }>();

/** Undefined for `Never`. */
export function consolidateAfter(nodePool: NodePool): DurationMs | undefined {
  const delay = delays.get(nodePool) ?? { quiet: readDelay(nodePool) };
  delays.set(nodePool, delay);
  return delay.quiet;
}

function readDelay({ spec }: NodePool): DurationMs | undefined {
  const { ns } = parseNillableDuration(spec.disruption?.consolidateAfter ?? '0s', 'consolidateAfter');
  return ns === undefined ? undefined : nsToDurationMs(ns);
}

/** Undefined until the node is initialized. */
export function quietSince({ status }: NodeClaim): number | undefined {
  const initialized = getCondition({ conditions: status?.conditions ?? [] }, nodeClaimConditions.initialized);
  if (initialized?.status !== 'True') return undefined;
  return timestampMs(status?.lastPodEventTime) ?? timestampMs(initialized.lastTransitionTime);
}
