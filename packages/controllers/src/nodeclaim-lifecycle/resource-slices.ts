import type { ResourceSlice } from '@karpenter/core/lifecycle';
import type { CacheSet, WatchCache } from '@karpenter/kube/cache';
import { type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import { changesOf, type Source } from '@karpenter/kube/runtime';
import type { ProviderIdIndex } from '../instances/index.ts';

type CachedSlice = ResourceSlice & KubeObject;

/** The kind with the object type that this folder reads. The type exists at compile time only. */
function sliceKind({ objects: _, ...kind }: Kind): Kind<CachedSlice> {
  return kind;
}

export function resourceSlices(caches: CacheSet): WatchCache<CachedSlice> {
  return caches.of(sliceKind(kinds.resourceSlice));
}

/**
 * Enqueues the claims whose Node publishes a ResourceSlice. The source has no `ready`, so that the controller does
 * not wait for the cache to sync: an API server without resource.k8s.io must not block all claims.
 */
export function sliceChanges(slices: WatchCache<CachedSlice>, index: ProviderIdIndex): Source {
  const { start } = changesOf(slices, ({ object }) =>
    (object.metadata.ownerReferences ?? [])
      .filter(({ kind }) => kind === 'Node')
      .flatMap(({ name }) => index.nodes.get({ name }) ?? [])
      .flatMap((node) => index.claimsOf(node))
      .map(({ metadata }) => metadata.name),
  );
  return { start };
}
