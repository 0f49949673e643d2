import type { JsonObject } from '@karpenter/core/schema';
import type { Change } from './change.ts';
import { Collection, inKeyOrder } from './collection.ts';
import { Entry, entryKey } from './entry.ts';
import { History } from './history.ts';
import type { Journal } from './journal.ts';

const historyCapacity = 16_384;

export type ChangeListener = (change: Change) => void;

export interface StoreOptions {
  readonly journal: Journal;
  /** How many changes watchers may be behind. */
  readonly historyCapacity?: number;
  /** Called with what a listener threw. */
  readonly onListenerError?: (error: unknown) => void;
}

interface Past {
  readonly collection: string;
  readonly revision: number;
  readonly entries: readonly Entry[];
}

/**
 * All objects of the cluster under one revision that only grows. Reading and writing are synchronous, so a
 * read, a decision and a write without a pause between them are a transaction. Listeners hear of a change when
 * it is durable, in order.
 */
export class Store {
  readonly #journal: Journal;
  readonly #collections = new Map<string, Collection>();
  readonly #history: History;
  readonly #listeners = new Set<ChangeListener>();
  readonly #onListenerError: (error: unknown) => void;
  readonly #waiting: { readonly revision: number; readonly resolve: () => void }[] = [];
  readonly #toTell: Change[] = [];
  /** The list of the past that was last asked for: whoever reads it page by page asks again and again. */
  #past: Past | undefined;
  #revision: number;
  #durable: number;

  constructor(options: StoreOptions) {
    const { recovered } = options.journal;
    this.#journal = options.journal;
    this.#onListenerError = options.onListenerError ?? (() => {});
    // Nothing was ever at revision 0, so that a client may use it to mean "anything".
    this.#revision = Math.max(recovered.revision, 1);
    this.#durable = this.#revision;
    this.#history = new History(options.historyCapacity ?? historyCapacity, this.#revision);
    for (const entry of recovered.entries) this.#collection(entry.collection).set(entry);
  }

  get revision(): number {
    return this.#revision;
  }

  /** Up to here everything would outlive the process, and listeners have heard of it. */
  get durableRevision(): number {
    return this.#durable;
  }

  /** Changes after this revision can still be told; older ones are forgotten. */
  get oldestRevision(): number {
    return this.#history.oldest;
  }

  get(collection: string, namespace: string, name: string): Entry | undefined {
    return this.#collections.get(collection)?.get(entryKey(namespace, name));
  }

  /** In key order. */
  list(collection: string): readonly Entry[] {
    return this.#collections.get(collection)?.sorted() ?? [];
  }

  size(collection: string): number {
    return this.#collections.get(collection)?.size ?? 0;
  }

  collections(): readonly string[] {
    return [...this.#collections.keys()];
  }

  *entries(): Generator<Entry> {
    for (const collection of this.#collections.values()) yield* collection.sorted();
  }

  /** The list as it was; the revision must not be older than `oldestRevision`. */
  listAt(collection: string, revision: number): readonly Entry[] {
    const changes = this.#history.since(revision).filter(({ entry }) => entry.collection === collection);
    if (changes.length === 0) return this.list(collection);
    if (this.#past?.collection === collection && this.#past.revision === revision) return this.#past.entries;
    const entries = new Map(this.list(collection).map((entry) => [entry.key, entry]));
    for (const { entry, previous } of changes.toReversed()) {
      if (previous === undefined) entries.delete(entry.key);
      else entries.set(entry.key, previous);
    }
    this.#past = { collection, revision, entries: inKeyOrder([...entries.values()]) };
    return this.#past.entries;
  }

  /** Creates or replaces. */
  put(collection: string, object: JsonObject): Entry {
    const entry = new Entry(collection, object, this.#revision + 1);
    const previous = this.get(collection, entry.namespace, entry.name);
    this.#collection(collection).set(entry);
    this.#record({ type: previous ? 'MODIFIED' : 'ADDED', revision: entry.revision, entry, previous });
    return entry;
  }

  /** The state given is the last that watchers see. */
  remove(previous: Entry, lastState: JsonObject = previous.object): Entry {
    const entry = new Entry(previous.collection, lastState, this.#revision + 1);
    this.#collection(previous.collection).delete(previous.key);
    this.#record({ type: 'DELETED', revision: entry.revision, entry, previous });
    return entry;
  }

  /** Resolves when everything written so far would outlive the process. */
  durable(): Promise<void> {
    if (this.#durable >= this.#revision) return Promise.resolve();
    const revision = this.#revision;
    return new Promise((resolve) => {
      this.#waiting.push({ revision, resolve });
    });
  }

  /** The changes after the revision that are durable; later ones come through `subscribe`. */
  changesSince(revision: number): readonly Change[] {
    return this.#history.since(revision).filter((change) => change.revision <= this.#durable);
  }

  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    await this.durable();
    await this.#journal.close();
  }

  #collection(name: string): Collection {
    const known = this.#collections.get(name);
    if (known) return known;
    const made = new Collection();
    this.#collections.set(name, made);
    return made;
  }

  #record(change: Change): void {
    this.#revision = change.revision;
    this.#history.add(change);
    this.#journal.append(change, () => this.#announce(change));
  }

  /** A listener may write: what that causes is told after everybody has heard of this. */
  #announce(change: Change): void {
    this.#toTell.push(change);
    if (this.#toTell.length > 1) return;
    for (const next of this.#toTell) this.#tell(next);
    this.#toTell.length = 0;
  }

  #tell(change: Change): void {
    this.#durable = change.revision;
    change.previous?.dropJson();
    for (const listener of this.#listeners) this.#call(listener, change);
    while (this.#waiting[0] !== undefined && this.#waiting[0].revision <= this.#durable) {
      this.#waiting.shift()?.resolve();
    }
  }

  /**
   * The change is written down, whatever a listener makes of it: one that throws is reported, and neither keeps
   * others from hearing nor reaches the journal, which would take it for a failure of its own.
   */
  #call(listener: ChangeListener, change: Change): void {
    try {
      listener(change);
    } catch (error) {
      this.#onListenerError(error);
    }
  }
}
