import type { ClusterPod } from '@karpenter/core/state';
import type { CacheSet, WatchCache } from '@karpenter/kube/cache';
import type { KubeObject } from '@karpenter/kube/client';
import { stateSources } from '../cluster/index.ts';

export type CachedPod = ClusterPod & KubeObject;

const nodeIndex = 'spec.nodeName';

/** Pods by the Node that they are bound to, from the shared pod cache. */
export class PodsOnNodes {
  readonly cache: WatchCache<CachedPod>;

  constructor(caches: CacheSet) {
    this.cache = caches.of(stateSources.Pod);
    this.cache.addIndex(nodeIndex, ({ spec }) => (spec.nodeName ? [spec.nodeName] : []));
  }

  on(nodeName: string): readonly CachedPod[] {
    return this.cache.byIndex(nodeIndex, nodeName);
  }
}
