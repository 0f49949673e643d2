import type { WatchCache } from '@karpenter/kube/cache';
import { type KubeObject, keyOf } from '@karpenter/kube/client';
import type { Clock, Instant } from '@karpenter/kube/runtime';

/** A write whose echo never comes, because the object was gone before the cache saw it. */
const longestWaitMs = 30_000;

interface Pending {
  readonly uid: string;
  readonly deletion: boolean;
  readonly since: Instant;
}

/**
 * What a controller wrote but its cache does not show yet. Until it does, counting would lead to the same pods
 * being made or deleted twice.
 */
export class PendingWrites<T extends KubeObject> {
  readonly #cache: WatchCache<T>;
  readonly #clock: Clock;
  readonly #byOwner = new Map<string, Map<string, Pending>>();

  constructor(cache: WatchCache<T>, clock: Clock) {
    this.#cache = cache;
    this.#clock = clock;
  }

  created(ownerKey: string, object: T): void {
    this.#add(ownerKey, object, false);
  }

  deleted(ownerKey: string, object: T): void {
    this.#add(ownerKey, object, true);
  }

  /** Whether the cache shows everything that was written for the owner. */
  areSeen(ownerKey: string): boolean {
    const pending = this.#byOwner.get(ownerKey);
    if (pending === undefined) return true;
    for (const [key, write] of pending) if (this.#isSeen(key, write)) pending.delete(key);
    if (pending.size > 0) return false;
    this.#byOwner.delete(ownerKey);
    return true;
  }

  #add(ownerKey: string, object: T, deletion: boolean): void {
    const { name, namespace = '' } = keyOf(object);
    const pending = this.#byOwner.get(ownerKey) ?? new Map<string, Pending>();
    const uid = object.metadata?.uid ?? '';
    pending.set(`${namespace}/${name}`, { uid, deletion, since: this.#clock.now() });
    this.#byOwner.set(ownerKey, pending);
  }

  #isSeen(key: string, { uid, deletion, since }: Pending): boolean {
    if (since + longestWaitMs <= this.#clock.now()) return true;
    const [namespace = '', name = ''] = key.split('/');
    const cached = this.#cache.get({ namespace, name });
    const isSame = cached?.metadata?.uid === uid;
    return deletion ? !isSame || cached?.metadata?.deletionTimestamp !== undefined : isSame;
  }
}
