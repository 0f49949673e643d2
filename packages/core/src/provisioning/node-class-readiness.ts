import { getCondition, nodePoolReasons } from '../api/index.ts';
import type { LenientCondition } from '../schema/index.ts';

/** What tells whether a NodeClass can be used, whichever kind it is of. */
export interface NodeClassView {
  readonly metadata?: {
    readonly deletionTimestamp?: string | undefined;
    readonly generation?: number | undefined;
  };
  readonly status?: { readonly conditions?: readonly LenientCondition[] | undefined };
}

/** Why nodes of a class cannot be made; absent if they can. */
export function nodeClassObstacle(
  nodeClass: NodeClassView | undefined,
): { readonly reason: string; readonly message: string } | undefined {
  if (nodeClass === undefined) return nodePoolReasons.nodeClassNotFound;
  if (nodeClass.metadata?.deletionTimestamp !== undefined) return nodePoolReasons.nodeClassTerminating;
  const ready = getCondition({ conditions: nodeClass.status?.conditions ?? [] }, 'Ready');
  if (ready === undefined || ready.status === 'Unknown') return nodePoolReasons.nodeClassReadinessUnknown;
  return ready.status === 'True' ? undefined : { reason: ready.reason, message: ready.message };
}
