import type { WatchCache } from '@karpenter/kube/cache';
import { type KubeObject, keyOf } from '@karpenter/kube/client';
import type { Clock, Instant, Source } from '@karpenter/kube/runtime';

/**
 * A write that the watch never confirms is forgotten after this time, the expectations timeout of Kubernetes'
 * own controllers. Not sooner, because a cache may be far behind.
 */
const timeoutMs = 5 * 60_000;

interface Pending {
  readonly uid: string;
  readonly deletion: boolean;
  readonly since: Instant;
}

/**
 * The expectations of a controller: writes that its cache does not show yet. Until it does, counting pods
 * would create or delete the same ones twice.
 */
export class PendingWrites<T extends KubeObject> {
  readonly #cache: WatchCache<T>;
  readonly #clock: Clock;
  readonly #byOwner = new Map<string, Map<string, Pending>>();
  /** The owner of each pending write, by object key. */
  readonly #owners = new Map<string, string>();

  constructor(cache: WatchCache<T>, clock: Clock) {
    this.#cache = cache;
    this.#clock = clock;
  }

  /**
   * Forgets the pending write of an object that is deleted. Otherwise an object that is created and deleted between two
   * reconciles would stay pending until the timeout, because the cache no longer has it.
   */
  readonly deletions: Source = {
    start: () =>
      this.#cache.subscribe(({ type, object }) => {
        if (type === 'deleted') this.#gone(object);
      }),
  };

  created(ownerKey: string, object: T): void {
    this.#add(ownerKey, object, false);
  }

  deleted(ownerKey: string, object: T): void {
    this.#add(ownerKey, object, true);
  }

  /** Whether the cache shows every write made for the owner. */
  areObserved(ownerKey: string): boolean {
    const pending = this.#byOwner.get(ownerKey);
    if (pending === undefined) return true;
    for (const [key, write] of pending) if (this.#isObserved(key, write)) this.#settle(ownerKey, key);
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

  #isObserved(key: string, { uid, deletion, since }: Pending): boolean {
    if (since + timeoutMs <= this.#clock.now()) return true;
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
