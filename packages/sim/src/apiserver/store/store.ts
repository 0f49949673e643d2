import type { CodedError } from '@karpenter/core/errors';
import type { JsonObject } from '@karpenter/core/schema';
import { StatusError } from '../status/status-error.ts';
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

interface Waiting {
  readonly revision: number;
  readonly resolve: () => void;
  readonly reject: (error: StatusError) => void;
}

export interface Rollback {
  /** For those whose request came to nothing by it. */
  readonly error: StatusError;
}

/** For parts that act on changes and whose own writes may fail or be taken back. */
export interface FailureListener {
  /** These changes are undone; nobody but synchronous readers has seen them. */
  rolledBack?(undone: readonly Change[]): void;
  /** Writes succeed again: time to make those that failed. */
  resumed(): void;
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
  readonly #failureListeners = new Set<FailureListener>();
  #waiting: Waiting[] = [];
  /** By revision: what would have to be undone. */
  readonly #unsaved = new Map<number, Change>();
  readonly #toTell: Change[] = [];
  /** The list of the past that was last asked for: whoever reads it page by page asks again and again. */
  #past: Past | undefined;
  #revision: number;
  #durable: number;
  #lastRollback: Rollback | undefined;

  constructor(options: StoreOptions) {
    const { recovered } = options.journal;
    this.#journal = options.journal;
    this.#onListenerError = options.onListenerError ?? (() => {});
    // Nothing was ever at revision 0, so that a client may use it to mean "anything".
    this.#revision = Math.max(recovered.revision, 1);
    this.#durable = this.#revision;
    this.#history = new History(options.historyCapacity ?? historyCapacity, this.#revision);
    for (const entry of recovered.entries) this.#collection(entry.collection).set(entry);
    options.journal.listen({
      discarded: (failure) => this.#rollBack(failure),
      resumed: () => {
        for (const listener of this.#failureListeners) listener.resumed();
      },
    });
  }

  get revision(): number {
    return this.#revision;
  }

  /** Up to here everything would outlive the process, and listeners have heard of it. */
  get durableRevision(): number {
    return this.#durable;
  }

  /** The latest time that changes were undone. Whoever reads, waits and finds another has read what is not so. */
  get lastRollback(): Rollback | undefined {
    return this.#lastRollback;
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

  /** Without what is not durable yet and may still be undone. */
  *durableEntries(): Generator<Entry> {
    const before = new Map<string, Entry | undefined>();
    for (const { entry, previous } of this.#unsaved.values()) {
      const place = `${entry.collection} ${entry.key}`;
      if (!before.has(place)) before.set(place, previous);
    }
    for (const entry of this.entries()) {
      if (before.size === 0 || !before.has(`${entry.collection} ${entry.key}`)) yield entry;
    }
    for (const entry of before.values()) if (entry !== undefined) yield entry;
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

  /** Resolves when everything written so far would outlive the process; rejects when it is undone instead. */
  durable(): Promise<void> {
    if (this.#durable >= this.#revision) return Promise.resolve();
    const revision = this.#revision;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ revision, resolve, reject });
    });
  }

  /** Resolves when everything written so far is durable or undone. */
  settled(): Promise<void> {
    return this.durable().catch(() => undefined);
  }

  /** Why writes fail, tried anew when they did; undefined when they do not. */
  failure(): Promise<CodedError | undefined> {
    return this.#journal.check();
  }

  subscribeToFailures(listener: FailureListener): () => void {
    this.#failureListeners.add(listener);
    return () => this.#failureListeners.delete(listener);
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
    await this.settled();
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
    this.#unsaved.set(change.revision, change);
    this.#journal.append(change, () => this.#announce(change));
  }

  /** Nothing of what is undone was announced, so that nobody has to hear of it. */
  #rollBack(failure: CodedError): void {
    const undone = [...this.#unsaved.values()];
    for (const { entry, previous } of undone.toReversed()) {
      const collection = this.#collection(entry.collection);
      if (previous === undefined) collection.delete(entry.key);
      else collection.set(previous);
    }
    this.#unsaved.clear();
    this.#history.forgetAfter(this.#durable);
    this.#past = undefined;
    this.#revision = this.#durable;
    const error = new StatusError(500, 'InternalError', failure.message);
    this.#lastRollback = { error };
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(error);
    for (const listener of this.#failureListeners) listener.rolledBack?.(undone);
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
    this.#unsaved.delete(change.revision);
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
