import type { WatchCache } from '@karpenter/kube/cache';
import type { Source } from '@karpenter/kube/runtime';

/** Adds no keys. Delays the first reconcile until the caches are synced. */
export function whenSynced(...caches: readonly Pick<WatchCache<never>, 'waitForSync'>[]): Source {
  return {
    start: () => () => undefined,
    ready: async (signal) => {
      await Promise.all(caches.map((cache) => cache.waitForSync(signal)));
    },
  };
}
