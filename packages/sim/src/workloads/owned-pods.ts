import type { CacheSet, WatchCache } from '@karpenter/kube/cache';
import { type KubeObject, kinds } from '@karpenter/kube/client';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { controllerOf } from '../objects/object-key.ts';

const controller = 'controller';

/** Pods, found by the uid of the controller that owns them, or by their namespace when nobody does. */
export function ownedPods(caches: CacheSet): WatchCache<Pod> {
  return caches.of(kinds.pod, { [controller]: (pod) => [controllerOf(pod)?.uid ?? orphansOf(pod)] });
}

/** The owner's pods, and those of its namespace that nobody owns. */
export function podsOf(pods: WatchCache<Pod>, owner: KubeObject): readonly Pod[] {
  return [
    ...pods.byIndex(controller, owner.metadata?.uid ?? ''),
    ...pods.byIndex(controller, orphansOf(owner)),
  ];
}

function orphansOf({ metadata }: KubeObject): string {
  return `orphans of ${metadata?.namespace ?? ''}`;
}
