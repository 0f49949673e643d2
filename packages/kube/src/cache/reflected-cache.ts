import { setImmediate } from 'node:timers/promises';
import type { Kind, KubeObject, ObjectKey } from '../client/kind.ts';
import type { KubeReader } from '../client/kube-client.ts';
import { keyOf } from '../client/object-key.ts';
import type { Clock } from '../runtime/clock.ts';
import { Kin } from './kin.ts';
import { type IndexFunction, ObjectStore } from './object-store.ts';
import { type Mirror, Reflector, type Selection } from './reflector.ts';
import { sharedParts } from './shared-parts.ts';
import type { CacheChange, WatchCache } from './watch-cache.ts';

export interface CacheOptions<T extends KubeObject> {
  readonly client: KubeReader;
  readonly kind: Kind<T>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly selection?: Selection;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  /** Called on each object before it is kept; drops `metadata.managedFields` unless told. */
  readonly transform?: (object: T) => T;
  /** CandidateMessage of failures of the server, which are retried forever, and of listeners, which are called on. */
  readonly onError?: (error: unknown) => void;
  readonly random?: () => number;
}

/** A cache that fills itself until the signal is raised. */
export function startWatchCache<T extends KubeObject>(options: CacheOptions<T>): WatchCache<T> {
  const cache = new ReflectedCache(options);
  const { signal, indexes: _indexes, transform: _transform, ...reflected } = options;
  void new Reflector({ ...reflected, mirror: cache }).run(signal);
  return cache;
}

type Listener<T> = (change: CacheChange<T>) => void;

/** Of a long list so many objects are taken or told of before others have their turn: some milliseconds' worth. */
const objectsPerTurn = 100;

class ReflectedCache<T extends KubeObject> implements WatchCache<T>, Mirror<T> {
  readonly #store = new ObjectStore<T>();
  readonly #kin = new Kin<T>();
  readonly #listeners = new Set<Listener<T>>();
  readonly #waiting = new Set<() => void>();
  readonly #transform: (object: T) => T;
  readonly #onError: (error: unknown) => void;
  #synced = false;

  constructor({
    indexes = {},
    transform = withoutManagedFields,
    onError = () => undefined,
  }: CacheOptions<T>) {
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
    for (const object of this.#store.list()) this.#tell(listener, { type: 'added', object });
    return () => this.#listeners.delete(listener);
  }

  /** Before the first list is complete nobody relies on what is here, so that it may come bit by bit. */
  async begin(objects: readonly T[]): Promise<void> {
    await inTurns(objects, (some) =>
      this.#tellAll(some.flatMap((object) => this.#store.set(this.#kept(object)))),
    );
  }

  complete(): void {
    this.#synced = true;
    for (const finish of this.#waiting) finish();
    this.#waiting.clear();
  }

  async replaceAll(objects: readonly T[]): Promise<void> {
    const kept: T[] = [];
    await inTurns(objects, (some) => {
      for (const object of some) kept.push(this.#kept(object));
    });
    // Whoever comes while it is told finds all of it in the store.
    const listeners = [...this.#listeners];
    await inTurns(this.#store.replaceAll(kept), (some) => this.#tellAll(some, listeners));
    this.complete();
  }

  set(object: T): void {
    this.#tellAll(this.#store.set(this.#kept(object)));
  }

  remove(object: T): void {
    this.#tellAll(this.#store.remove(this.#kept(object)));
  }

  /** What it was before is most like it; one that is new is likely to be like others of its owner. */
  #kept(object: T): T {
    const own = this.#transform(object);
    const kept = sharedParts(own, this.#store.get(keyOf(own)) ?? this.#kin.of(own));
    this.#kin.add(kept);
    return kept;
  }

  /** All changes are made before the first is told: whoever looks on hearing of one sees one moment. */
  #tellAll(changes: readonly CacheChange<T>[], listeners = [...this.#listeners]): void {
    for (const change of changes) {
      for (const listener of listeners) if (this.#listeners.has(listener)) this.#tell(listener, change);
    }
  }

  #tell(listener: Listener<T>, change: CacheChange<T>): void {
    try {
      listener(change);
    } catch (error) {
      this.#onError(error);
    }
  }
}

/** A hundred thousand objects at once would keep watches, probes and the lease waiting for seconds. */
async function inTurns<I>(items: readonly I[], work: (some: readonly I[]) => void): Promise<void> {
  for (let start = 0; start < items.length; start += objectsPerTurn) {
    if (start > 0) await setImmediate();
    work(items.slice(start, start + objectsPerTurn));
  }
}

/** Who wrote which field is often most of an object, and nobody here asks. */
function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata === undefined || !('managedFields' in object.metadata)) return object;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  // Frozen copies that begin with a spread have a hidden class each on Node 20, which is paid for at every look at them.
  return Object.assign({}, object, { metadata });
}
