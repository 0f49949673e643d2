import { isEphemeralTaint, labelKeys, nodeClaimConditions } from '@karpenter/core/api';
import type { NodeView } from '@karpenter/core/scheduling';
import { isSameTaint, parseResourceList, type QuantityTexts, type Taint } from '@karpenter/core/values';
import type { WrittenMetadata, WrittenPod } from '../input/objects.ts';
import { requestsOn } from './node-view.ts';

export interface WrittenNodeClaim {
  readonly metadata?: WrittenMetadata;
  readonly spec?: { readonly taints?: readonly Taint[]; readonly startupTaints?: readonly Taint[] };
  readonly status?: {
    readonly nodeName?: string;
    readonly capacity?: QuantityTexts;
    readonly allocatable?: QuantityTexts;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** A node of which only the NodeClaim is known: it is on its way, or has just joined. */
export function nodeOnItsWay(name: string, claim: WrittenNodeClaim, pods: readonly WrittenPod[]): NodeView {
  const { metadata, spec, status } = claim;
  const labels = metadata?.labels ?? {};
  const nodePool = labels[labelKeys.nodePool];
  const { capacity = {}, allocatable = capacity } = status ?? {};
  parseResourceList(capacity, 'status.capacity');
  parseResourceList(allocatable, 'status.allocatable');
  return {
    name: status?.nodeName ?? name,
    nodeClaim: name,
    ...(nodePool !== undefined && { nodePool }),
    labels,
    taints: (spec?.taints ?? []).filter((taint) => !isEphemeralTaint(taint)),
    initialized: isInitialized(claim),
    deleting: isDeleting(claim),
    capacity,
    allocatable,
    ...requestsOn(pods),
  };
}

/** A node with what its NodeClaim knows better: whether it takes pods yet, and whether it is going away. */
export function withNodeClaim(node: NodeView, name: string, claim: WrittenNodeClaim): NodeView {
  const initialized = isInitialized(claim);
  const { startupTaints = [] } = claim.spec ?? {};
  const passes = (taint: Taint) =>
    isEphemeralTaint(taint) || startupTaints.some((startup) => isSameTaint(startup, taint));
  return {
    ...node,
    nodeClaim: name,
    initialized,
    deleting: node.deleting || isDeleting(claim),
    taints: initialized ? node.taints : node.taints.filter((taint) => !passes(taint)),
  };
}

function isInitialized({ status }: WrittenNodeClaim): boolean {
  return (status?.conditions ?? []).some(
    (condition) => condition.type === nodeClaimConditions.initialized && condition.status === 'True',
  );
}

function isDeleting({ metadata }: WrittenNodeClaim): boolean {
  return metadata?.deletionTimestamp !== undefined;
}
