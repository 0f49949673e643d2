import type { WatchCache } from '@karpenter/kube/cache';
import { type KubeObject, keyOf } from '@karpenter/kube/client';
import type { Clock, Instant } from '@karpenter/kube/runtime';

/** For a write whose echo never comes, as Kubernetes' own controllers wait; short of that, a cache may be far behind. */
const longestWaitMs = 5 * 60_000;

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
  /** The owner whose pending writes name the object. */
  readonly #owners = new Map<string, string>();

  constructor(cache: WatchCache<T>, clock: Clock) {
    this.#cache = cache;
    this.#clock = clock;
    // What comes and goes is seen, although the cache may never be found with it.
    cache.subscribe(({ type, object }) => {
      if (type === 'deleted') this.#gone(object);
    });
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
    for (const [key, write] of pending) if (this.#isSeen(key, write)) this.#settle(ownerKey, key);
    if (pending.size > 0) return false;
    this.#byOwner.delete(ownerKey);
    return true;
  }

  #add(ownerKey: string, object: T, deletion: boolean): void {
    const key = textOf(object);
    const pending = this.#byOwner.get(ownerKey) ?? new Map<string, Pending>();
    const uid = object.metadata?.uid ?? '';
    pending.set(key, { uid, deletion, since: this.#clock.now() });
    this.#byOwner.set(ownerKey, pending);
    this.#owners.set(key, ownerKey);
  }

  #gone(object: T): void {
    const key = textOf(object);
    const ownerKey = this.#owners.get(key) ?? '';
    const write = this.#byOwner.get(ownerKey)?.get(key);
    if (write?.uid === object.metadata?.uid) this.#settle(ownerKey, key);
  }

  #settle(ownerKey: string, key: string): void {
    this.#byOwner.get(ownerKey)?.delete(key);
    this.#owners.delete(key);
  }

  #isSeen(key: string, { uid, deletion, since }: Pending): boolean {
    if (since + longestWaitMs <= this.#clock.now()) return true;
    const [namespace = '', name = ''] = key.split('/');
    const cached = this.#cache.get({ namespace, name });
    const isSame = cached?.metadata?.uid === uid;
    return deletion ? !isSame || cached?.metadata?.deletionTimestamp !== undefined : isSame;
  }
}

function textOf(object: KubeObject): string {
  const { name, namespace = '' } = keyOf(object);
  return `${namespace}/${name}`;
}
