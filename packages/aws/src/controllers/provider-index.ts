import type { WatchCache } from '@karpenter/kube/cache';
import type { KubeObject } from '@karpenter/kube/client';

const providerIndex = 'providerID';

/** Index of NodeClaims or Nodes by provider ID. */
export class ByProviderId<T extends KubeObject> {
  readonly #cache: WatchCache<T>;

  constructor(cache: WatchCache<T>, providerIdOf: (object: T) => string | undefined) {
    this.#cache = cache;
    cache.addIndex(providerIndex, (object) => {
      const id = providerIdOf(object) ?? '';
      return id === '' ? [] : [id];
    });
  }

  of(providerId: string): readonly T[] {
    return this.#cache.byIndex(providerIndex, providerId);
  }
}
