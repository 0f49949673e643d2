import { disruptedTaint, labelKeys, type NodeClaim, timestampMs } from '../api/index.ts';
import type { ClusterNode } from '../state/index.ts';
import type { Labels } from '../values/index.ts';
import { type Amounts, readAmounts, sumAmounts } from './amounts.ts';
import type { PodRow } from './pod-row.ts';
import type { NodePrice, PriceOf } from './price.ts';

/** From the launch of the instance until it is gone. */
export type NodePhase = 'launching' | 'registering' | 'notReady' | 'ready' | 'terminating';

export interface NodeRow {
  /** The provider ID; for a NodeClaim without an instance its uid, for a Node without provider ID its name. */
  readonly id: string;
  /** Name of the Node; before it exists, of the instance or of the NodeClaim. */
  readonly name: string;
  /** Present once the Node object exists. */
  readonly nodeName?: string;
  readonly nodeClaim?: string;
  readonly nodePool?: string;
  readonly instanceType?: string;
  readonly zone?: string;
  /** `on-demand`, `spot`, `reserved` or `fargate`. */
  readonly capacityType?: string;
  readonly labels: Labels;
  readonly phase: NodePhase;
  /** When the Ready condition last changed; without a Node, when the NodeClaim was created. */
  readonly phaseSince: number;
  readonly isCordoned: boolean;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  readonly capacity: Amounts;
  readonly allocatable: Amounts;
  /** Sum over its pods that have not ended. */
  readonly requested: Amounts;
  /** Of these, the requests of DaemonSet pods. */
  readonly daemons: Amounts;
  /** Uids of its pods. */
  readonly pods: readonly string[];
  readonly price?: NodePrice;
}

/** A node with at least one of Node and NodeClaim, and the pods that are bound to it. */
export interface NodeParts {
  readonly node: ClusterNode | undefined;
  readonly claim: NodeClaim | undefined;
  readonly pods: readonly PodRow[];
}

export function nodeRow(parts: NodeParts, priceOf: PriceOf): NodeRow {
  const { node, claim, pods } = parts;
  const labels = node?.metadata.labels ?? claim?.metadata.labels ?? {};
  const status = node?.status ?? claim?.status;
  const row: NodeRow = {
    id: rowId(node, claim),
    name: node?.metadata.name ?? instanceName(claim),
    ...(node !== undefined && { nodeName: node.metadata.name }),
    ...(claim !== undefined && { nodeClaim: claim.metadata.name }),
    ...placeOf(labels),
    labels,
    ...phaseOf(parts),
    isCordoned: isCordoned(node),
    createdAt: timestampMs((claim ?? node)?.metadata.creationTimestamp) ?? 0,
    capacity: readAmounts(status?.capacity),
    allocatable: readAmounts(status?.allocatable),
    requested: sumAmounts(pods.map(({ requests }) => requests)),
    daemons: sumAmounts(pods.filter(({ isDaemon }) => isDaemon).map(({ requests }) => requests)),
    pods: pods.map(({ uid }) => uid),
  };
  const price = priceOf(row);
  return price === undefined ? row : { ...row, price };
}

/** A Node and its NodeClaim share a provider ID from launch to termination, so the row keeps its identity. */
export function rowId(node: ClusterNode | undefined, claim: NodeClaim | undefined): string {
  const providerId = node?.spec?.providerID ?? claim?.status?.providerID;
  if (providerId !== undefined && providerId !== '') return providerId;
  return claim?.metadata.uid ?? node?.metadata.name ?? '';
}

/** EC2 provider IDs end in the instance ID: `aws:///us-west-2a/i-0123`. */
function instanceName(claim: NodeClaim | undefined): string {
  const instance = claim?.status?.providerID?.split('/').at(-1);
  return instance === undefined || instance === '' ? (claim?.metadata.name ?? '') : instance;
}

function placeOf(labels: Labels): Partial<NodeRow> {
  const place = {
    nodePool: labels[labelKeys.nodePool],
    instanceType: labels[labelKeys.instanceType],
    zone: labels[labelKeys.zone],
    capacityType: capacityTypeOf(labels),
  };
  return Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
}

/** Managed node groups and Fargate have labels of their own. */
function capacityTypeOf(labels: Labels): string | undefined {
  const own = labels[labelKeys.capacityType];
  if (own !== undefined) return own;
  if (labels['eks.amazonaws.com/compute-type'] === 'fargate') return 'fargate';
  return managedCapacityTypes[labels['eks.amazonaws.com/capacityType'] ?? ''];
}

const managedCapacityTypes: Readonly<Record<string, string>> = {
  ON_DEMAND: 'on-demand',
  SPOT: 'spot',
  CAPACITY_BLOCK: 'reserved',
};

function phaseOf({ node, claim }: NodeParts): Pick<NodeRow, 'phase' | 'phaseSince'> {
  const created = timestampMs((claim ?? node)?.metadata.creationTimestamp) ?? 0;
  const deleted = timestampMs(claim?.metadata.deletionTimestamp ?? node?.metadata.deletionTimestamp);
  if (deleted !== undefined) return { phase: 'terminating', phaseSince: deleted };
  const isLaunched = (claim?.status?.providerID ?? '') !== '';
  if (node === undefined) return { phase: isLaunched ? 'registering' : 'launching', phaseSince: created };
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  const phaseSince = timestampMs(ready?.lastTransitionTime) ?? created;
  return { phase: ready?.status === 'True' ? 'ready' : 'notReady', phaseSince };
}

function isCordoned(node: ClusterNode | undefined): boolean {
  const isDisrupted = node?.spec?.taints?.some(({ key }) => key === disruptedTaint.key) ?? false;
  return isDisrupted || node?.spec?.unschedulable === true;
}
