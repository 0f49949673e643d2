import type { Store, StoreChange } from '../store/index.ts';

/** Receives the changes of one collection. */
export interface ChangeSink {
  accept(change: StoreChange): void;
  /** Called once after `accept` threw; the hub has removed the sink. */
  fail(error: unknown): void;
}

/**
 * Dispatches the store's changes to watches by collection, so that a pod change costs nothing to watches of
 * nodes.
 */
export class WatchHub {
  readonly #sinks = new Map<string, Set<ChangeSink>>();
  #unsubscribe: () => void = () => undefined;
  readonly #store: Store;
  readonly #onError: (error: unknown) => void;

  constructor(store: Store, onError: (error: unknown) => void = () => {}) {
    this.#store = store;
    this.#onError = onError;
  }

  start(): void {
    this.#unsubscribe = this.#store.subscribe((change) => {
      const sinks = this.#sinks.get(change.entry.collection);
      for (const sink of sinks ?? []) if (!this.#deliver(sink, change)) sinks?.delete(sink);
    });
  }

  /** Registers a sink and returns the function that removes it. */
  add(collection: string, sink: ChangeSink): () => void {
    const sinks = this.#sinks.get(collection) ?? new Set();
    this.#sinks.set(collection, sinks.add(sink));
    return () => sinks.delete(sink);
  }

  /** All registered sinks, for shutdown. */
  all(): readonly ChangeSink[] {
    return [...this.#sinks.values()].flatMap((sinks) => [...sinks]);
  }

  close(): void {
    this.#unsubscribe();
  }

  /** Delivers a change. A sink that throws is removed; the other watches continue. */
  #deliver(sink: ChangeSink, change: StoreChange): boolean {
    try {
      sink.accept(change);
      return true;
    } catch (error) {
      this.#onError(error);
      sink.fail(error);
      return false;
    }
  }
}
