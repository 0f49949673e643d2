import { labelKeys, type NodeClaim, nodeClaimConditions } from '@karpenter/core/api';
import type { ClusterNode } from '@karpenter/core/state';
import { type OwnerReference, parseResourceList, type Taint } from '@karpenter/core/values';
import { nodeClaimShape } from '../input/companion-shapes.ts';
import type { WrittenNode, WrittenNodeClaim } from '../input/objects.ts';
import { withOrigin } from '../input/origin.ts';
import { nodeShape } from '../input/pod-shape.ts';
import { readShape } from '../input/shape.ts';
import type { ManifestsOfKind } from './inventory.ts';
import { manifestText, type NamedManifest } from './manifest.ts';

interface InputNodeObjects {
  readonly nodes: readonly ClusterNode[];
  readonly nodeClaims: readonly NodeClaim[];
}

/**
 * Nodes and NodeClaims as the API server stores them. Objects exported from a live cluster stay unchanged. Manifests
 * written by hand lack the provider id that links a Node to its NodeClaim, and the `registered` and `initialized`
 * labels; both are filled in here.
 */
export function nodeObjects(ofKind: ManifestsOfKind): InputNodeObjects {
  const claims = ofKind('NodeClaim').map(readNodeClaim);
  const nodes = ofKind('Node').map(readNode);
  const claimOf = (node: ReadNode) => claims.find((claim) => isClaimOf(node, claim));
  const nodeOf = (claim: NodeClaim) => nodes.find((node) => isClaimOf(node, claim))?.node;
  return {
    nodes: nodes.map((read) => completeNode(read.node, claimOf(read))),
    nodeClaims: claims.map((claim) => completeClaim(claim, nodeOf(claim))),
  };
}

interface ReadNode {
  readonly node: ClusterNode;
  readonly owners: readonly OwnerReference[];
}

export function readNode(manifest: NamedManifest): ReadNode {
  const { name, object, origin } = manifest;
  const subject = manifestText(manifest);
  const written = readShape<WrittenNode>(nodeShape, object, { origin, subject });
  return {
    node: withOrigin(origin, subject, () => storedNode(name, written)),
    owners: written.metadata?.ownerReferences ?? [],
  };
}

/** The Node with its name. Throws when one of its quantities is malformed. */
export function storedNode(name: string, { metadata, spec, status }: WrittenNode): ClusterNode {
  const { capacity = {}, allocatable = capacity } = status ?? {};
  parseResourceList(capacity, 'status.capacity');
  parseResourceList(allocatable, 'status.allocatable');
  return {
    metadata: { ...metadata, name },
    spec: { ...spec, taints: taintsOf(spec) },
    status: { ...status, capacity, allocatable },
  };
}

const unschedulable: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** In a live cluster the node controller taints cordoned nodes; a manifest may set only `spec.unschedulable`. */
function taintsOf(spec: WrittenNode['spec']): readonly Taint[] {
  const taints = spec?.taints ?? [];
  const isCordoned = spec?.unschedulable === true && !taints.some(({ key }) => key === unschedulable.key);
  return isCordoned ? [...taints, unschedulable] : taints;
}

const noClass = { group: '', kind: '', name: '' };

/** Completes a NodeClaim with the fields that the API server requires or defaults. */
export function readNodeClaim(manifest: NamedManifest): NodeClaim {
  const { name, object, origin } = manifest;
  const subject = manifestText(manifest);
  const { metadata, spec, status } = readShape<WrittenNodeClaim>(nodeClaimShape, object, { origin, subject });
  withOrigin(origin, subject, () => {
    parseResourceList(status?.capacity, 'status.capacity');
    parseResourceList(status?.allocatable, 'status.allocatable');
  });
  const { capacity, allocatable = capacity } = status ?? {};
  const { ownerReferences: _, ...ownMetadata } = metadata ?? {};
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { ...ownMetadata, name },
    spec: { requirements: [], nodeClassRef: noClass, expireAfter: 'Never', ...spec },
    status: { ...status, ...(allocatable !== undefined && { allocatable }) },
  };
}

/** Provider ids decide when both sides have one, as in the controllers; owner or node name otherwise. */
function isClaimOf({ node: { metadata, spec }, owners }: ReadNode, claim: NodeClaim): boolean {
  const { providerID = '', nodeName } = claim.status ?? {};
  if (providerID !== '' && spec?.providerID !== undefined) return providerID === spec.providerID;
  const isOwner = owners.some(({ kind, name }) => kind === 'NodeClaim' && name === claim.metadata.name);
  return isOwner || nodeName === metadata.name;
}

function writtenId(name: string): string {
  return `file:///${name}`;
}

/**
 * Fills in provider id and progress labels. A Node without a provider id was written by hand; without a NodeClaim it
 * counts as initialized, because users write such Nodes for nodes that already run.
 */
export function completeNode(node: ClusterNode, claim?: NodeClaim): ClusterNode {
  const { metadata, spec } = node;
  if ((spec?.providerID ?? '') !== '') return node;
  const providerID = claim?.status?.providerID || writtenId(metadata.name);
  return {
    ...node,
    metadata: { ...metadata, labels: { ...progressLabels(node, claim), ...metadata.labels } },
    spec: { ...spec, providerID },
  };
}

function progressLabels({ metadata }: ClusterNode, claim: NodeClaim | undefined): Record<string, string> {
  const isTrue = (wanted: string) =>
    (claim?.status?.conditions ?? []).some(({ type, status }) => type === wanted && status === 'True');
  const isManaged = claim !== undefined || metadata.labels?.[labelKeys.nodePool] !== undefined;
  if (!isManaged) return {};
  const isInitialized = claim === undefined || isTrue(nodeClaimConditions.initialized);
  const isRegistered = isInitialized || isTrue(nodeClaimConditions.registered);
  return {
    ...(isRegistered && { [labelKeys.registered]: 'true' }),
    ...(isInitialized && { [labelKeys.initialized]: 'true' }),
  };
}

/** A NodeClaim without a provider id counts as launched if it has a Node or allocatable resources. */
function completeClaim(claim: NodeClaim, node: ClusterNode | undefined): NodeClaim {
  const { status, metadata } = claim;
  const isLaunched = node !== undefined || status?.allocatable !== undefined;
  if ((status?.providerID ?? '') !== '' || !isLaunched) return claim;
  const name = node?.metadata.name ?? status?.nodeName ?? metadata.name;
  return { ...claim, status: { ...status, providerID: node?.spec?.providerID || writtenId(name) } };
}
