import { labelKeys, type NodeClaim, nodeClaimConditions } from '@karpenter/core/api';
import type { ClusterNode } from '@karpenter/core/state';
import { type OwnerReference, parseResourceList, type Taint } from '@karpenter/core/values';
import { nodeClaimShape } from '../input/companion-shapes.ts';
import type { WrittenNode, WrittenNodeClaim } from '../input/objects.ts';
import { at } from '../input/origin.ts';
import { nodeShape } from '../input/pod-shape.ts';
import { readShape } from '../input/shape.ts';
import type { ManifestsOfKind } from './inventory.ts';
import { manifestText, type NamedManifest } from './manifest.ts';

export interface NodeObjects {
  readonly nodes: readonly ClusterNode[];
  readonly nodeClaims: readonly NodeClaim[];
}

/**
 * Nodes and NodeClaims as the API server stores them. Those of a live cluster stay as they are. Manifests written by
 * hand leave out the provider id that joins the two, and the labels by which a Node says how far it has come.
 */
export function nodeObjects(ofKind: ManifestsOfKind): NodeObjects {
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

function readNode(manifest: NamedManifest): ReadNode {
  const { name, object, origin } = manifest;
  const subject = manifestText(manifest);
  const written = readShape<WrittenNode>(nodeShape, object, origin, subject);
  return {
    node: at(origin, subject, () => storedNode(name, written)),
    owners: written.metadata?.ownerReferences ?? [],
  };
}

/** The Node under its name. Throws where one of its quantities cannot be read. */
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

/** The node controller taints a cordoned node; a manifest may say it in one way only. */
function taintsOf(spec: WrittenNode['spec']): readonly Taint[] {
  const taints = spec?.taints ?? [];
  const isCordoned = spec?.unschedulable === true && !taints.some(({ key }) => key === unschedulable.key);
  return isCordoned ? [...taints, unschedulable] : taints;
}

const noClass = { group: '', kind: '', name: '' };

function readNodeClaim(manifest: NamedManifest): NodeClaim {
  const { name, object, origin } = manifest;
  const subject = manifestText(manifest);
  const { metadata, spec, status } = readShape<WrittenNodeClaim>(nodeClaimShape, object, origin, subject);
  at(origin, subject, () => {
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

function isClaimOf({ node: { metadata, spec }, owners }: ReadNode, claim: NodeClaim): boolean {
  const { providerID = '', nodeName } = claim.status ?? {};
  if (providerID !== '' && spec?.providerID !== undefined) return providerID === spec.providerID;
  const isOwner = owners.some(({ kind, name }) => kind === 'NodeClaim' && name === claim.metadata.name);
  return isOwner || nodeName === metadata.name;
}

function writtenId(name: string): string {
  return `file:///${name}`;
}

/** A Node without a provider id was written by hand. Without a NodeClaim it stands for a node that runs. */
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

/** A NodeClaim without a provider id that has a Node or knows its resources is launched; any other is not. */
function completeClaim(claim: NodeClaim, node: ClusterNode | undefined): NodeClaim {
  const { status, metadata } = claim;
  const isLaunched = node !== undefined || status?.allocatable !== undefined;
  if ((status?.providerID ?? '') !== '' || !isLaunched) return claim;
  const name = node?.metadata.name ?? status?.nodeName ?? metadata.name;
  return { ...claim, status: { ...status, providerID: node?.spec?.providerID || writtenId(name) } };
}
