import { getCondition, nodePoolReasons } from '../api/index.ts';
import type { LenientCondition } from '../schema/index.ts';

/** The fields of a NodeClass of any kind that decide whether it can be used. */
export interface NodeClassView {
  readonly metadata?: {
    readonly deletionTimestamp?: string | undefined;
    readonly generation?: number | undefined;
  };
  readonly status?: { readonly conditions?: readonly LenientCondition[] | undefined };
}

/** Why nodes of this NodeClass cannot be created; undefined if they can. */
export function nodeClassObstacle(
  nodeClass: NodeClassView | undefined,
): { readonly reason: string; readonly message: string } | undefined {
  if (nodeClass === undefined) return nodePoolReasons.nodeClassNotFound;
  if (nodeClass.metadata?.deletionTimestamp !== undefined) return nodePoolReasons.nodeClassTerminating;
  const ready = getCondition({ conditions: nodeClass.status?.conditions ?? [] }, 'Ready');
  if (ready === undefined || ready.status === 'Unknown') return nodePoolReasons.nodeClassReadinessUnknown;
  return ready.status === 'True' ? undefined : { reason: ready.reason, message: ready.message };
}
