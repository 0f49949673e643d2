import type { CodedError } from '@karpenter/core/errors';
import type { JsonObject } from '@karpenter/core/schema';
import { durationMs } from '@karpenter/core/values';
import { StatusError } from '../status/status-error.ts';
import type { StoreChange } from './change.ts';
import { Collection, inKeyOrder } from './collection.ts';
import { TextCompressor } from './compressed-text.ts';
import { Entry, entryKey } from './entry.ts';
import { History, type HistoryLimits } from './history.ts';
import type { Journal } from './journal.ts';
import { maxObjectBytes, tooLargeToStore } from './object-limit.ts';

// A watch that resumes from further back gets 410 and has to list again. The age is kube-apiserver's interval between
// compactions of etcd.
const usualHistory: HistoryLimits = {
  changes: 16_384,
  bytes: 32 * 1024 * 1024,
  age: durationMs(300_000),
  leastChanges: 500,
};

export type ChangeListener = (change: StoreChange) => void;

export interface StoreOptions {
  readonly journal: Journal;
  /** How far a watch may be behind when it resumes. */
  readonly history?: Partial<HistoryLimits>;
  /** Milliseconds, for the age of the history. */
  readonly now?: () => number;
  /** Collections whose objects are kept as compressed JSON only. */
  readonly rarelyRead?: readonly string[];
  /** Called with errors that listeners throw. */
  readonly onListenerError?: (error: unknown) => void;
}

interface Waiter {
  readonly revision: number;
  readonly resolve: () => void;
  readonly reject: (error: StatusError) => void;
}

export interface Rollback {
  /** The error for requests whose changes were rolled back. */
  readonly error: StatusError;
}

/** For components whose own writes may fail or be rolled back. */
export interface FailureListener {
  /** These changes were rolled back. Only synchronous readers have seen them; no change listener has. */
  rolledBack?(undone: readonly StoreChange[]): void;
  /** Writes succeed again after a failure: retry now. */
  resumed(): void;
}

interface PastList {
  readonly collection: string;
  readonly revision: number;
  readonly entries: readonly Entry[];
}

/**
 * All objects of the cluster under one revision that only grows.
 *
 * Reads and writes are synchronous, so a read, a decision and a write without an await in between are a
 * transaction. Listeners receive a change when it is durable, in order.
 */
export class Store {
  readonly #journal: Journal;
  readonly #collections = new Map<string, Collection>();
  readonly #history: History;
  readonly #rarelyRead: ReadonlyMap<string, TextCompressor>;
  readonly #listeners = new Set<ChangeListener>();
  readonly #onListenerError: (error: unknown) => void;
  readonly #failureListeners = new Set<FailureListener>();
  #waiters: Waiter[] = [];
  /** Changes that are not durable yet, by revision; a rollback undoes them. */
  readonly #unsaved = new Map<number, StoreChange>();
  readonly #announcements: StoreChange[] = [];
  /** The last result of listAt, because a client that reads a list page by page requests the same one again. */
  #lastListAt: PastList | undefined;
  #revision: number;
  #durable: number;
  #lastRollback: Rollback | undefined;

  constructor(options: StoreOptions) {
    const { recovered } = options.journal;
    this.#journal = options.journal;
    this.#onListenerError = options.onListenerError ?? (() => {});
    // No object ever has revision 0, so that clients can use it to mean "any".
    this.#revision = Math.max(recovered.revision, 1);
    this.#durable = this.#revision;
    this.#rarelyRead = new Map((options.rarelyRead ?? []).map((name) => [name, new TextCompressor()]));
    this.#history = new History({
      limits: { ...usualHistory, ...options.history },
      revision: this.#revision,
      now: options.now ?? Date.now,
    });
    for (const entry of recovered.entries) this.#recover(entry);
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

  /** All changes up to this revision are durable and delivered to listeners. */
  get durableRevision(): number {
    return this.#durable;
  }

  /**
   * The most recent rollback. A reader that compares it before and after waiting knows whether the state it
   * read was undone.
   */
  get lastRollback(): Rollback | undefined {
    return this.#lastRollback;
  }

  /** Changes after this revision are still in the history. */
  get oldestRevision(): number {
    return this.#history.oldest;
  }

  get(collection: string, namespace: string, name: string): Entry | undefined {
    return this.#collections.get(collection)?.get(entryKey(namespace, name));
  }

  /** The objects of a collection in key order. */
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

  /** The objects without changes that are not durable and may still be rolled back. */
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

  /**
   * The list at an earlier revision, which must not be older than `oldestRevision`. It reverts the changes
   * since then on the current list.
   */
  listAt(collection: string, revision: number): readonly Entry[] {
    const changes = this.#history.since(revision).filter(({ entry }) => entry.collection === collection);
    if (changes.length === 0) return this.list(collection);
    if (this.#lastListAt?.collection === collection && this.#lastListAt.revision === revision)
      return this.#lastListAt.entries;
    const entries = new Map(this.list(collection).map((entry) => [entry.key, entry]));
    for (const { entry, previous } of changes.toReversed()) {
      if (previous === undefined) entries.delete(entry.key);
      else entries.set(entry.key, previous);
    }
    this.#lastListAt = { collection, revision, entries: inKeyOrder([...entries.values()]) };
    return this.#lastListAt.entries;
  }

  /**
   * Creates or replaces an object. The change is visible at once and durable later: await `durable()`. Throws 413 for
   * an object that etcd would not store.
   */
  put(collection: string, object: JsonObject): Entry {
    const entry = new Entry(collection, object, this.#revision + 1);
    if (entry.bytes > maxObjectBytes) throw tooLargeToStore();
    const previous = this.get(collection, entry.namespace, entry.name);
    this.#collection(collection).set(entry);
    this.#record({ type: previous ? 'MODIFIED' : 'ADDED', revision: entry.revision, entry, previous });
    return entry;
  }

  /** Removes an object. Watches receive `lastState` with the DELETED event. */
  remove(previous: Entry, lastState: JsonObject = previous.object): Entry {
    const entry = new Entry(previous.collection, lastState, this.#revision + 1);
    this.#collection(previous.collection).delete(previous.key);
    this.#record({ type: 'DELETED', revision: entry.revision, entry, previous });
    return entry;
  }

  /** Resolves when all changes so far are durable; rejects with a StatusError when they are rolled back. */
  durable(): Promise<void> {
    if (this.#durable >= this.#revision) return Promise.resolve();
    const revision = this.#revision;
    return new Promise((resolve, reject) => {
      this.#waiters.push({ revision, resolve, reject });
    });
  }

  /** Resolves when all changes so far are durable or rolled back. */
  settled(): Promise<void> {
    return this.durable().catch(() => undefined);
  }

  /**
   * The current storage failure, or undefined. After a failure it tries a write to find out whether it
   * persists.
   */
  failure(): Promise<CodedError | undefined> {
    return this.#journal.check();
  }

  /** Registers a listener and returns the function that removes it. */
  subscribeToFailures(listener: FailureListener): () => void {
    this.#failureListeners.add(listener);
    return () => this.#failureListeners.delete(listener);
  }

  /** The durable changes after a revision; later ones come through `subscribe`. */
  changesSince(revision: number): readonly StoreChange[] {
    return this.#history.since(revision).filter((change) => change.revision <= this.#durable);
  }

  /** Calls the listener for every durable change, in order. Returns the function that removes it. */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    await this.settled();
    await this.#journal.close();
  }

  #recover(entry: Entry): void {
    const compressor = this.#rarelyRead.get(entry.collection);
    if (compressor !== undefined) entry.compact(compressor);
    this.#collection(entry.collection).set(entry);
  }

  #collection(name: string): Collection {
    const known = this.#collections.get(name);
    if (known) return known;
    const created = new Collection();
    this.#collections.set(name, created);
    return created;
  }

  #record(change: StoreChange): void {
    this.#revision = change.revision;
    this.#history.add(change);
    this.#unsaved.set(change.revision, change);
    this.#journal.append(change, () => this.#announce(change));
  }

  /** Undoes all changes that are not durable. None of them was announced, so no watch has to be corrected. */
  #rollBack(failure: CodedError): void {
    const undone = [...this.#unsaved.values()];
    for (const { entry, previous } of undone.toReversed()) {
      const collection = this.#collection(entry.collection);
      if (previous === undefined) collection.delete(entry.key);
      else collection.set(previous);
    }
    this.#unsaved.clear();
    this.#history.forgetAfter(this.#durable);
    this.#lastListAt = undefined;
    this.#revision = this.#durable;
    const error = new StatusError(500, 'InternalError', failure.message);
    this.#lastRollback = { error };
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { reject } of waiters) reject(error);
    for (const listener of this.#failureListeners) listener.rolledBack?.(undone);
  }

  /**
   * Delivers changes in order. A listener may write: the resulting change is delivered after all listeners
   * have received the current one.
   */
  #announce(change: StoreChange): void {
    this.#announcements.push(change);
    if (this.#announcements.length > 1) return;
    for (const next of this.#announcements) this.#notify(next);
    this.#announcements.length = 0;
  }

  #notify(change: StoreChange): void {
    this.#durable = change.revision;
    this.#unsaved.delete(change.revision);
    for (const listener of this.#listeners) this.#call(listener, change);
    this.#compact(change);
    while (this.#waiters[0] !== undefined && this.#waiters[0].revision <= this.#durable) {
      this.#waiters.shift()?.resolve();
    }
  }

  /** Compacts entries that only the history still refers to, and those of rarely read collections (ADR 0070). */
  #compact({ type, entry, previous }: StoreChange): void {
    const compressor = this.#rarelyRead.get(entry.collection);
    previous?.compact(compressor);
    if (type === 'DELETED' || compressor !== undefined) entry.compact(compressor);
  }

  /**
   * Reports an error that a listener throws. The change is durable already: the error must not keep other
   * listeners from it, nor reach the journal, which would take it for a failure of its own.
   */
  #call(listener: ChangeListener, change: StoreChange): void {
    try {
      listener(change);
    } catch (error) {
      this.#onListenerError(error);
    }
  }
}
