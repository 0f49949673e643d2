import { labelKeys, type NodeClaim, type NodePool } from '@karpenter/core/api';
import type { CacheSet } from '@karpenter/kube/cache';
import { changesOf, type Source } from '@karpenter/kube/runtime';
import { nodeClaims } from '../cluster/index.ts';

/** Enqueues the NodePool of each NodeClaim that changes. */
export function claimsOfPools(caches: CacheSet): Source {
  return changesOf(caches.of(nodeClaims), ({ object }) => poolOf(object));
}

export function poolOf({ metadata }: NodeClaim): readonly string[] {
  const name = metadata.labels?.[labelKeys.nodePool];
  return name === undefined ? [] : [name];
}

/** A NodePool is static when it sets `replicas`, even to zero. */
export function isStatic({ spec }: NodePool): boolean {
  return spec.replicas !== undefined;
}
