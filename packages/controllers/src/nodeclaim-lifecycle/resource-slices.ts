import type { ResourceSlice } from '@karpenter/core/lifecycle';
import type { CacheSet, WatchCache } from '@karpenter/kube/cache';
import { type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import { changesOf, type Source } from '@karpenter/kube/runtime';
import type { MachineIndex } from '../machines/index.ts';

type CachedSlice = ResourceSlice & KubeObject;

/** The type of a kind's objects is never looked at when it runs. */
function sliceKind({ objects: _, ...kind }: Kind): Kind<CachedSlice> {
  return kind;
}

export function resourceSlices(caches: CacheSet): WatchCache<CachedSlice> {
  return caches.of(sliceKind(kinds.resourceSlice));
}

/**
 * Names of claims whose Node publishes devices. Not waited for: a server that does not know devices must not hold up
 * all other claims.
 */
export function sliceChanges(slices: WatchCache<CachedSlice>, machines: MachineIndex): Source {
  const { start } = changesOf(slices, ({ object }) =>
    (object.metadata.ownerReferences ?? [])
      .filter(({ kind }) => kind === 'Node')
      .flatMap(({ name }) => machines.nodes.get({ name }) ?? [])
      .flatMap((node) => machines.claimsOf(node))
      .map(({ metadata }) => metadata.name),
  );
  return { start };
}
