import { annotationKeys, disruptedTaint, labelKeys, type NodeClaim, timestampMs } from '../api/index.ts';
import type { ClusterNode } from '../state/index.ts';
import type { Labels } from '../values/index.ts';
import { type Amounts, readAmounts, sumAmounts } from './amounts.ts';
import { type PodCounts, podCountsOf } from './pod-counts.ts';
import type { PodRow } from './pod-row.ts';
import type { NodePrice, PriceOf } from './price.ts';

/** From the launch of the instance until it is gone. */
type NodePhase = 'launching' | 'registering' | 'notReady' | 'ready' | 'terminating';

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
  /** By the Ready condition alone, whatever the phase. */
  readonly isReady: boolean;
  /** When that condition last changed; without one, when the NodeClaim or else the Node was created. */
  readonly readySince: number;
  readonly isCordoned: boolean;
  readonly isDeleting: boolean;
  /** Annotated with `karpenter.sh/do-not-disrupt: "true"`. */
  readonly isProtected: boolean;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  readonly capacity: Amounts;
  readonly allocatable: Amounts;
  /** Sum over its pods that have neither ended nor are being deleted. */
  readonly requested: Amounts;
  /** Of these, the requests of DaemonSet pods. */
  readonly daemons: Amounts;
  readonly podCounts: PodCounts;
  /** Uids of its pods. */
  readonly pods: readonly string[];
  readonly price?: NodePrice;
}

/** A node with at least one of Node and NodeClaim, and the pods that are bound to it. */
export interface ViewedNodeParts {
  readonly node: ClusterNode | undefined;
  readonly claim: NodeClaim | undefined;
  readonly pods: readonly PodRow[];
}

export function nodeRow(parts: ViewedNodeParts, priceOf: PriceOf): NodeRow {
  const { node, claim, pods } = parts;
  const labels = node?.metadata.labels ?? claim?.metadata.labels ?? {};
  const status = node?.status ?? claim?.status;
  const row: NodeRow = {
    id: rowId(node, claim),
    name: node?.metadata.name ?? instanceName(claim),
    ...(node !== undefined && { nodeName: node.metadata.name }),
    ...(claim !== undefined && { nodeClaim: claim.metadata.name }),
    ...placeOf(labels, pods),
    labels,
    ...phaseOf(parts),
    ...readinessOf(parts),
    isCordoned: isCordoned(node),
    isDeleting: deletedAt(parts) !== undefined,
    isProtected: node?.metadata.annotations?.[annotationKeys.doNotDisrupt] === 'true',
    createdAt: timestampMs((claim ?? node)?.metadata.creationTimestamp) ?? 0,
    capacity: readAmounts(status?.capacity),
    allocatable: readAmounts(status?.allocatable),
    requested: sumAmounts(pods.map(({ requests }) => requests)),
    daemons: sumAmounts(pods.filter(({ isDaemon }) => isDaemon).map(({ requests }) => requests)),
    podCounts: podCountsOf(pods),
    pods: pods.map(({ uid }) => uid),
  };
  // Nothing is paid for a NodeClaim before its instance exists.
  const price = row.phase === 'launching' ? undefined : priceOf(row);
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

function placeOf(labels: Labels, pods: readonly PodRow[]): Partial<NodeRow> {
  const fargateSize = pods.find((pod) => pod.fargateSize !== undefined)?.fargateSize;
  const place = {
    nodePool: labels[labelKeys.nodePool],
    instanceType: labels[labelKeys.instanceType] ?? labels['beta.kubernetes.io/instance-type'] ?? fargateSize,
    zone: labels[labelKeys.zone] ?? labels['failure-domain.beta.kubernetes.io/zone'],
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

function phaseOf(parts: ViewedNodeParts): Pick<NodeRow, 'phase' | 'phaseSince'> {
  const { node, claim } = parts;
  const deleted = deletedAt(parts);
  if (deleted !== undefined) return { phase: 'terminating', phaseSince: deleted };
  const { isReady, readySince: phaseSince } = readinessOf(parts);
  const isLaunched = (claim?.status?.providerID ?? '') !== '';
  if (node === undefined) return { phase: isLaunched ? 'registering' : 'launching', phaseSince };
  return { phase: isReady ? 'ready' : 'notReady', phaseSince };
}

function readinessOf({ node, claim }: ViewedNodeParts): Pick<NodeRow, 'isReady' | 'readySince'> {
  const ready = node?.status?.conditions?.find(({ type }) => type === 'Ready');
  const created = timestampMs((claim ?? node)?.metadata.creationTimestamp) ?? 0;
  return {
    isReady: ready?.status === 'True',
    readySince: timestampMs(ready?.lastTransitionTime) ?? created,
  };
}

function deletedAt({ node, claim }: ViewedNodeParts): number | undefined {
  return timestampMs(claim?.metadata.deletionTimestamp ?? node?.metadata.deletionTimestamp);
}

/** Karpenter before v1 tainted with `karpenter.sh/disruption`. */
const disruptionTaints: ReadonlySet<string> = new Set([disruptedTaint.key, 'karpenter.sh/disruption']);

function isCordoned(node: ClusterNode | undefined): boolean {
  const isDisrupted = node?.spec?.taints?.some(({ key }) => disruptionTaints.has(key)) ?? false;
  return isDisrupted || node?.spec?.unschedulable === true;
}
