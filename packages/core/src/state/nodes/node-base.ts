import {
  isConditionTrue,
  isEphemeralTaint,
  labelKeys,
  leavingTaint,
  type NodeClaim,
  nodeClaimConditions,
} from '../../api/index.ts';
import type { NodeView } from '../../scheduling/index.ts';
import {
  isSameTaint,
  isZeroQuantity,
  parseQuantity,
  type QuantityTexts,
  type Taint,
} from '../../values/index.ts';
import type { ClusterNode } from '../cluster-object.ts';

/** A Node, its NodeClaim, or both. */
export interface NodeSources {
  readonly node: ClusterNode | undefined;
  readonly claim: NodeClaim | undefined;
}

/** The part of a node's state that depends only on its own objects, not on its pods. */
export interface NodeBase {
  readonly view: Omit<NodeView, 'podRequests' | 'daemonRequests' | 'deleting'>;
  readonly registered: boolean;
  readonly initialized: boolean;
  /** Whether the NodeClaim, or the Node without one, is being deleted, or the instance is terminating. */
  readonly deleting: boolean;
}

export function nodeBase(objects: NodeSources): NodeBase {
  const registered = isMarkedBy(objects, labelKeys.registered);
  const initialized = isMarkedBy(objects, labelKeys.initialized);
  const labels = labelsOf(objects, registered);
  const nodePool = labels[labelKeys.nodePool];
  return {
    view: {
      name: nameOf(objects),
      ...(objects.claim !== undefined && { nodeClaim: objects.claim.metadata.name }),
      ...(nodePool !== undefined && nodePool !== '' && { nodePool }),
      labels,
      taints: taintsOf(objects, registered, initialized),
      initialized,
      ...(hasLeavingTaint(objects) && { isLeaving: true }),
      capacity: resourcesOf(objects, initialized, 'capacity'),
      allocatable: resourcesOf(objects, initialized, 'allocatable'),
    },
    registered,
    initialized,
    deleting: isDeleting(objects),
  };
}

/**
 * The lifecycle controller sets the label on the Node. Nodes without a NodeClaim count as registered and
 * initialized from the start.
 */
function isMarkedBy({ node, claim }: NodeSources, label: string): boolean {
  return claim === undefined || node?.metadata.labels?.[label] === 'true';
}

function nameOf({ node, claim }: NodeSources): string {
  return node?.metadata.name ?? (claim?.status?.nodeName || claim?.metadata.name) ?? '';
}

/**
 * Registration copies the labels and taints of the NodeClaim to the Node; until then only the claim has them.
 */
function labelsOf({ node, claim }: NodeSources, registered: boolean) {
  const source = registered ? (node ?? claim) : claim;
  return source?.metadata.labels ?? {};
}

function taintsOf({ node, claim }: NodeSources, registered: boolean, initialized: boolean): readonly Taint[] {
  const taints = withoutLeaving((registered ? node?.spec?.taints : claim?.spec.taints) ?? []);
  if (initialized) return taints;
  const startup = claim?.spec.startupTaints ?? [];
  // Startup and ephemeral taints go away before the node is initialized, so plans ignore them until then.
  return taints.filter(
    (taint) => !isEphemeralTaint(taint) && !startup.some((startupTaint) => isSameTaint(startupTaint, taint)),
  );
}

/**
 * Hidden from plans, which fill the node last instead (`isLeaving`): pods that fit nowhere else may still run there
 * (ADR 0069).
 */
function withoutLeaving(taints: readonly Taint[]): readonly Taint[] {
  return taints.some(isLeavingTaint) ? taints.filter((taint) => !isLeavingTaint(taint)) : taints;
}

function hasLeavingTaint({ node }: NodeSources): boolean {
  return node?.spec?.taints?.some(isLeavingTaint) ?? false;
}

function isLeavingTaint(taint: Taint): boolean {
  return isSameTaint(taint, leavingTaint);
}

/**
 * Until a node is initialized its device plugins may not have reported yet, so zero or missing amounts come
 * from the NodeClaim's status.
 */
function resourcesOf(
  { node, claim }: NodeSources,
  initialized: boolean,
  field: 'capacity' | 'allocatable',
): QuantityTexts {
  const reported = node?.status?.[field] ?? {};
  if (initialized) return reported;
  const expected = Object.entries(claim?.status?.[field] ?? {});
  const missing = expected.filter(([name]) => isZero(reported[name]));
  return missing.length === 0 ? reported : { ...reported, ...Object.fromEntries(missing) };
}

function isZero(amount: string | number | undefined): boolean {
  return amount === undefined || isZeroQuantity(parseQuantity(amount));
}

function isDeleting({ node, claim }: NodeSources): boolean {
  // As in Karpenter, a claim decides alone: deleting its Node leads to the deletion of the claim.
  if (claim === undefined) return node?.metadata.deletionTimestamp !== undefined;
  return claim.metadata.deletionTimestamp !== undefined || isInstanceTerminating(claim);
}

function isInstanceTerminating({ status }: NodeClaim): boolean {
  return isConditionTrue({ conditions: status?.conditions ?? [] }, nodeClaimConditions.instanceTerminating);
}
