import {
  isConditionTrue,
  isEphemeralTaint,
  labelKeys,
  type NodeClaim,
  nodeClaimConditions,
} from '../api/index.ts';
import type { NodeView } from '../scheduling/index.ts';
import {
  isSameTaint,
  isZeroQuantity,
  parseQuantity,
  type QuantityTexts,
  type Taint,
} from '../values/index.ts';
import type { ClusterNode } from './cluster-object.ts';

/** A node, its claim, or both. */
export interface NodeObjects {
  readonly node: ClusterNode | undefined;
  readonly claim: NodeClaim | undefined;
}

/** What follows from the objects of a node alone. */
export interface NodeBase {
  readonly view: Omit<NodeView, 'podRequests' | 'daemonRequests' | 'deleting'>;
  readonly registered: boolean;
  readonly initialized: boolean;
  /** One of its objects is on the way out. */
  readonly deleting: boolean;
}

export function nodeBase(objects: NodeObjects): NodeBase {
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
      capacity: amounts(objects, initialized, 'capacity'),
      allocatable: amounts(objects, initialized, 'allocatable'),
    },
    registered,
    initialized,
    deleting: isDeleting(objects),
  };
}

/** The lifecycle labels the Node when it is done; nodes that nobody here made are done from the start. */
function isMarkedBy({ node, claim }: NodeObjects, label: string): boolean {
  return claim === undefined || node?.metadata.labels?.[label] === 'true';
}

function nameOf({ node, claim }: NodeObjects): string {
  return node?.metadata.name ?? (claim?.status?.nodeName || claim?.metadata.name) ?? '';
}

/** A Node gets the labels and taints of its claim when it registers; until then only the claim knows them. */
function labelsOf({ node, claim }: NodeObjects, registered: boolean) {
  const source = registered ? (node ?? claim) : claim;
  return source?.metadata.labels ?? {};
}

function taintsOf({ node, claim }: NodeObjects, registered: boolean, initialized: boolean): readonly Taint[] {
  const taints = (registered ? node?.spec?.taints : claim?.spec.taints) ?? [];
  if (initialized) return taints;
  const startup = claim?.spec.startupTaints ?? [];
  return taints.filter(
    (taint) => !isEphemeralTaint(taint) && !startup.some((passing) => isSameTaint(passing, taint)),
  );
}

/** Until a node is initialized its devices may not be counted yet; the claim says what is to come. */
function amounts(
  { node, claim }: NodeObjects,
  initialized: boolean,
  field: 'capacity' | 'allocatable',
): QuantityTexts {
  const reported = node?.status?.[field] ?? {};
  if (initialized) return reported;
  const promised = Object.entries(claim?.status?.[field] ?? {});
  const missing = promised.filter(([name]) => isZero(reported[name]));
  return missing.length === 0 ? reported : { ...reported, ...Object.fromEntries(missing) };
}

function isZero(amount: string | number | undefined): boolean {
  return amount === undefined || isZeroQuantity(parseQuantity(amount));
}

function isDeleting({ node, claim }: NodeObjects): boolean {
  if (claim === undefined) return node?.metadata.deletionTimestamp !== undefined;
  return claim.metadata.deletionTimestamp !== undefined || isInstanceTerminating(claim);
}

function isInstanceTerminating({ status }: NodeClaim): boolean {
  return isConditionTrue({ conditions: status?.conditions ?? [] }, nodeClaimConditions.instanceTerminating);
}
