import type { CacheSet, WatchCache } from '@karpenter/kube/cache';
import { type KubeObject, kinds } from '@karpenter/kube/client';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { controllerOf } from '../objects/object-key.ts';

const controller = 'controller';

/**
 * The pod cache with an index by the uid of the owning controller; pods without one are indexed by namespace.
 */
export function ownedPods(caches: CacheSet): WatchCache<Pod> {
  return caches.of(kinds.pod, { [controller]: (pod) => [controllerOf(pod)?.uid ?? orphansOf(pod)] });
}

/** The pods of the owner and the unowned pods of its namespace, which it may adopt. */
export function podsOf(pods: WatchCache<Pod>, owner: KubeObject): readonly Pod[] {
  return [
    ...pods.byIndex(controller, owner.metadata?.uid ?? ''),
    ...pods.byIndex(controller, orphansOf(owner)),
  ];
}

function orphansOf({ metadata }: KubeObject): string {
  return `orphans of ${metadata?.namespace ?? ''}`;
}
