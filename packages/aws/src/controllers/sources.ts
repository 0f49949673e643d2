import type { WatchCache } from '@karpenter/kube/cache';
import type { Source } from '@karpenter/kube/runtime';

/** Adds no keys; reconciles wait until the caches are complete. */
export function whenSynced(...caches: readonly Pick<WatchCache<never>, 'waitForSync'>[]): Source {
  return {
    start: () => () => undefined,
    ready: async (signal) => {
      await Promise.all(caches.map((cache) => cache.waitForSync(signal)));
    },
  };
}
