import { labelKeys, type NodeClaim, terminationFinalizer, unregisteredTaint } from '../api/index.ts';
import type { OwnerReference } from '../schema/index.ts';
import type { ClusterNode } from '../state/index.ts';
import { isSameTaint, type Labels, type Taint } from '../values/index.ts';

/** A Node with the parts of its metadata that tell who cares for it. */
export type OwnedNode = ClusterNode & {
  readonly metadata: {
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly OwnerReference[];
  };
};

/** What a Node gets from its NodeClaim. */
export interface NodeSync {
  readonly metadata: {
    readonly labels: Labels;
    readonly annotations: Labels;
    readonly finalizers: readonly string[];
    readonly ownerReferences: readonly OwnerReference[];
  };
  readonly spec: { readonly taints: readonly Taint[] };
}

/**
 * The Node as its claim wants it, or undefined where it is so already. Before it is registered it keeps the taint
 * that holds pods off; with registration the taint goes and the label tells so.
 */
export function nodeSync(
  claim: NodeClaim,
  node: OwnedNode,
  { registers }: { readonly registers: boolean },
): NodeSync | undefined {
  const { labels, annotations, finalizers = [], ownerReferences = [] } = node.metadata;
  const wanted: NodeSync = {
    metadata: {
      labels: {
        ...labels,
        ...claim.metadata.labels,
        ...(registers && { [labelKeys.registered]: 'true' }),
      },
      annotations: { ...annotations, ...claim.metadata.annotations },
      finalizers: finalizers.includes(terminationFinalizer)
        ? finalizers
        : [...finalizers, terminationFinalizer],
      ownerReferences: withOwner(ownerReferences, claim),
    },
    spec: { taints: syncedTaints(claim, node, registers) },
  };
  return isSynced(node, wanted) ? undefined : wanted;
}

/** Whether pods may already have come to a Node that nobody has registered: it started without the taint for that. */
export function lacksUnregisteredTaint({ metadata, spec }: ClusterNode): boolean {
  const isRegistered = metadata.labels?.[labelKeys.registered] !== undefined;
  return !isRegistered && !(spec?.taints ?? []).some((taint) => isSameTaint(taint, unregisteredTaint));
}

function withOwner(owners: readonly OwnerReference[], { metadata }: NodeClaim): readonly OwnerReference[] {
  const uid = metadata.uid ?? '';
  if (owners.some((owner) => owner.uid === uid)) return owners;
  return [
    ...owners,
    {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      name: metadata.name,
      uid,
      blockOwnerDeletion: true,
    },
  ];
}

/** A taint that the Node has already stays as it is, whatever its value. */
function syncedTaints({ spec }: NodeClaim, node: ClusterNode, registers: boolean): readonly Taint[] {
  const present = node.spec?.taints ?? [];
  const isLeftAlone = node.metadata.labels?.[labelKeys.doNotSyncTaints] === 'true';
  const wanted = isLeftAlone ? [] : [...(spec.taints ?? []), ...(spec.startupTaints ?? [])];
  const merged = [...present];
  for (const taint of wanted) if (!merged.some((other) => isSameTaint(taint, other))) merged.push(taint);
  return registers ? merged.filter((taint) => !isSameTaint(taint, unregisteredTaint)) : merged;
}

function isSynced({ metadata, spec }: OwnedNode, wanted: NodeSync): boolean {
  return (
    containsAll(metadata.labels, wanted.metadata.labels) &&
    containsAll(metadata.annotations, wanted.metadata.annotations) &&
    wanted.metadata.finalizers === metadata.finalizers &&
    wanted.metadata.ownerReferences === metadata.ownerReferences &&
    isSameList(spec?.taints ?? [], wanted.spec.taints)
  );
}

/** Taints that stay are the very objects that were there. */
function isSameList(present: readonly Taint[], wanted: readonly Taint[]): boolean {
  return present.length === wanted.length && wanted.every((taint, index) => taint === present[index]);
}

function containsAll(present: Labels = {}, wanted: Labels): boolean {
  return Object.entries(wanted).every(([key, value]) => present[key] === value);
}
