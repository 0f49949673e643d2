import type { Change, Store } from '../store/index.ts';

/** Something that wants to hear of the changes of one collection. */
export interface ChangeSink {
  accept(change: Change): void;
  /** `accept` threw: the sink hears of nothing more. */
  fail(error: unknown): void;
}

/** Sorts the store's changes by collection: a pod's change costs nothing to those who watch nodes. */
export class WatchHub {
  readonly #sinks = new Map<string, Set<ChangeSink>>();
  readonly #unsubscribe: () => void;
  readonly #onError: (error: unknown) => void;

  constructor(store: Store, onError: (error: unknown) => void = () => {}) {
    this.#onError = onError;
    this.#unsubscribe = store.subscribe((change) => {
      const sinks = this.#sinks.get(change.entry.collection);
      for (const sink of sinks ?? []) if (!this.#hasAccepted(sink, change)) sinks?.delete(sink);
    });
  }

  add(collection: string, sink: ChangeSink): () => void {
    const sinks = this.#sinks.get(collection) ?? new Set();
    this.#sinks.set(collection, sinks.add(sink));
    return () => sinks.delete(sink);
  }

  /** Everyone who watches, for shutting down. */
  all(): readonly ChangeSink[] {
    return [...this.#sinks.values()].flatMap((sinks) => [...sinks]);
  }

  close(): void {
    this.#unsubscribe();
  }

  /** One watch that cannot go on ends alone. */
  #hasAccepted(sink: ChangeSink, change: Change): boolean {
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
