import { labelKeys, type NodeClaim, terminationFinalizer, unregisteredTaint } from '../api/index.ts';
import type { CompleteOwnerReference } from '../schema/index.ts';
import type { ClusterNode } from '../state/index.ts';
import { isSameTaint, type Labels, type Taint } from '../values/index.ts';

/** A Node with its finalizers and owner references. */
export type OwnedNode = ClusterNode & {
  readonly metadata: {
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly CompleteOwnerReference[];
  };
};

/** The fields of a Node that its NodeClaim determines. */
export interface NodeSync {
  readonly metadata: {
    readonly labels: Labels;
    readonly annotations: Labels;
    readonly finalizers: readonly string[];
    readonly ownerReferences: readonly CompleteOwnerReference[];
  };
  readonly spec: { readonly taints: readonly Taint[] };
}

/**
 * The Node with labels, annotations, taints, finalizer and owner of its claim; undefined if nothing has to
 * change. With `registers` it also removes the unregistered taint, which keeps pods off until then, and sets
 * the registered label. Not for nodes that are registered already: startup taints that were removed would come back.
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

/**
 * Whether the node started without the unregistered taint, so that pods may have been bound before
 * registration.
 */
export function lacksUnregisteredTaint({ metadata, spec }: ClusterNode): boolean {
  const isRegistered = metadata.labels?.[labelKeys.registered] !== undefined;
  return !isRegistered && !(spec?.taints ?? []).some((taint) => isSameTaint(taint, unregisteredTaint));
}

function withOwner(
  owners: readonly CompleteOwnerReference[],
  { metadata }: NodeClaim,
): readonly CompleteOwnerReference[] {
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

/**
 * A taint that the Node already has keeps its value. With the do-not-sync-taints label, taints are left to
 * others.
 */
function syncedTaints({ spec }: NodeClaim, node: ClusterNode, registers: boolean): readonly Taint[] {
  const present = node.spec?.taints ?? [];
  const isUnsynced = node.metadata.labels?.[labelKeys.doNotSyncTaints] === 'true';
  const wanted = isUnsynced ? [] : [...(spec.taints ?? []), ...(spec.startupTaints ?? [])];
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

/** Compares by identity: taints that stay are the same objects. */
function isSameList(present: readonly Taint[], wanted: readonly Taint[]): boolean {
  return present.length === wanted.length && wanted.every((taint, index) => taint === present[index]);
}

function containsAll(present: Labels = {}, wanted: Labels): boolean {
  return Object.entries(wanted).every(([key, value]) => present[key] === value);
}
