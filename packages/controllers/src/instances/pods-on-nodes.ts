import type { ClusterPod } from '@karpenter/core/state';
import type { CacheSet, WatchCache } from '@karpenter/kube/cache';
import type { KubeObject } from '@karpenter/kube/client';
import { stateSources } from '../cluster/index.ts';

export type CachedPod = ClusterPod & KubeObject;

const nodeIndex = 'spec.nodeName';

/** Pods by the Node that they are bound to, from the shared pod cache. */
export class PodsOnNodes {
  readonly cache: WatchCache<CachedPod>;

  /** @param cache with the index that `watchPodsOnNodes` adds */
  constructor(cache: WatchCache<CachedPod>) {
    this.cache = cache;
  }

  on(nodeName: string): readonly CachedPod[] {
    return this.cache.byIndex(nodeIndex, nodeName);
  }
}

/** Starts the watch of pods, or joins the one that runs. */
export function watchPodsOnNodes(caches: CacheSet): PodsOnNodes {
  return new PodsOnNodes(
    caches.of(stateSources.Pod, { [nodeIndex]: ({ spec }) => (spec.nodeName ? [spec.nodeName] : []) }),
  );
}
