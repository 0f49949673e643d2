import type { Kind, KubeObject, KubeReader, ObjectKey } from '../client/index.ts';
import { keyOf } from '../client/index.ts';
import type { Clock } from '../runtime/index.ts';
import { mapInSlices } from '../yielding/index.ts';
import { type IndexFunction, ObjectStore } from './object-store.ts';
import { Reflector, type ReflectorTarget, type WatchSelection } from './reflector.ts';
import { sharedParts } from './shared-parts.ts';
import { SimilarObjects } from './similar-objects.ts';
import type { CacheChange, WatchCache } from './watch-cache.ts';

export interface CacheOptions<T extends KubeObject> {
  readonly client: KubeReader;
  readonly kind: Kind<T>;
  readonly clock: Clock;
  /** Stops the list and watch when aborted; the cache keeps its last contents. */
  readonly signal: AbortSignal;
  /** Restricts the cache to a namespace or selector. */
  readonly selection?: WatchSelection;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  /** Applied to each object before it is stored. Defaults to dropping `metadata.managedFields`. */
  readonly transform?: (object: T) => T;
  /** Called with failed lists and watches, which are retried forever, and with what listeners throw. */
  readonly onError?: (error: unknown) => void;
  /**
   * Makes the kind optional: while the API server forbids it, the cache is empty and synced. Called when it is
   * forbidden and when it is allowed again, in place of `onError`.
   */
  readonly onAccess?: (isAllowed: boolean) => void;
  readonly random?: () => number;
}

/**
 * Starts a cache that lists and watches a kind until the signal
 * aborts. Returns before the first list: see `waitForSync`.
 */
export function startWatchCache<T extends KubeObject>(options: CacheOptions<T>): WatchCache<T> {
  const cache = new ReflectedCache(options);
  const { signal, indexes: _indexes, transform: _transform, ...reflected } = options;
  void new Reflector({ ...reflected, target: cache }).run(signal);
  return cache;
}

type Listener<T> = (change: CacheChange<T>) => void;

class ReflectedCache<T extends KubeObject> implements WatchCache<T>, ReflectorTarget<T> {
  readonly #store = new ObjectStore<T>();
  readonly #similar = new SimilarObjects<T>();
  readonly #listeners = new Set<Listener<T>>();
  /** Resolvers of pending `waitForSync` calls. */
  readonly #waiting = new Set<() => void>();
  readonly #transform: (object: T) => T;
  readonly #onError: (error: unknown) => void;
  readonly #clock: Clock;
  #synced = false;

  constructor({
    indexes = {},
    transform = withoutManagedFields,
    onError = () => undefined,
    clock,
  }: CacheOptions<T>) {
    this.#clock = clock;
    this.#transform = transform;
    this.#onError = onError;
    for (const [name, valuesOf] of Object.entries(indexes)) this.#store.addIndex(name, valuesOf);
  }

  get synced(): boolean {
    return this.#synced;
  }

  waitForSync(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#synced) return resolve();
      if (signal?.aborted) return reject(signal.reason);
      const giveUp = () => {
        this.#waiting.delete(finish);
        reject(signal?.reason);
      };
      const finish = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(finish);
    });
  }

  get(key: ObjectKey): T | undefined {
    return this.#store.get(key);
  }

  list(): readonly T[] {
    return this.#store.list();
  }

  byIndex(index: string, value: string): readonly T[] {
    return this.#store.byIndex(index, value);
  }

  addIndex(index: string, valuesOf: IndexFunction<T>): void {
    this.#store.addIndex(index, valuesOf);
  }

  subscribe(listener: Listener<T>): () => void {
    this.#listeners.add(listener);
    for (const object of this.#store.list()) this.#notify(listener, { type: 'added', object });
    return () => this.#listeners.delete(listener);
  }

  /**
   * Stores a page of the first list and yields to the event loop between time slices. Readers may see a partial
   * list, which is safe because no one may rely on the cache before it is synced.
   */
  async addPage(objects: readonly T[]): Promise<void> {
    await mapInSlices(objects, (object) => this.set(object), this.#clock);
  }

  markSynced(): void {
    this.#synced = true;
    for (const finish of this.#waiting) finish();
    this.#waiting.clear();
  }

  async replaceAll(objects: readonly T[]): Promise<void> {
    const prepared = await mapInSlices(objects, (object) => this.#prepare(object), this.#clock);
    // Listeners as of now: one that subscribes during the notifications gets the
    // whole store from `subscribe`, and must not get the same objects twice. The
    // store itself changes in one step, so that readers see one revision.
    const listeners = [...this.#listeners];
    const changes = this.#store.replaceAll(prepared);
    await mapInSlices(changes, (change) => this.#notifyAll([change], listeners), this.#clock);
    this.markSynced();
  }

  set(object: T): void {
    this.#notifyAll(this.#store.set(this.#prepare(object)));
  }

  remove(object: T): void {
    this.#notifyAll(this.#store.remove(this.#prepare(object)));
  }

  /**
   * Transforms and freezes an object, sharing parts with the most similar
   * one: its previous version, else the last object of its owner.
   */
  #prepare(object: T): T {
    const own = this.#transform(object);
    const prepared = sharedParts(own, this.#store.get(keyOf(own)) ?? this.#similar.of(own));
    this.#similar.add(prepared);
    return prepared;
  }

  /**
   * Called after the store has applied all changes, so that
   * a listener that reads the cache sees one revision.
   */
  #notifyAll(changes: readonly CacheChange<T>[], listeners = [...this.#listeners]): void {
    for (const change of changes) {
      for (const listener of listeners) if (this.#listeners.has(listener)) this.#notify(listener, change);
    }
  }

  /** Catches what the listener throws: one failing listener must not stop the others or the watch. */
  #notify(listener: Listener<T>, change: CacheChange<T>): void {
    try {
      listener(change);
    } catch (error) {
      this.#onError(error);
    }
  }
}

/** Drops `managedFields`, which are often the largest part of an object and which no controller reads. */
function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata === undefined || !('managedFields' in object.metadata)) return object;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  // Not `{...object, metadata}`: on Node 20 each frozen copy that begins with a spread gets a hidden class of
  // its own, and every later property access misses the inline caches (ADR 0034).
  return Object.assign({}, object, { metadata });
}
