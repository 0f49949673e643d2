import type { Change, Store } from '../store/index.ts';

/** Something that wants to hear of the changes of one collection. */
export interface ChangeSink {
  accept(change: Change): void;
}

/** Sorts the store's changes by collection: a pod's change costs nothing to those who watch nodes. */
export class WatchHub {
  readonly #sinks = new Map<string, Set<ChangeSink>>();
  readonly #unsubscribe: () => void;

  constructor(store: Store) {
    this.#unsubscribe = store.subscribe((change) => {
      for (const sink of this.#sinks.get(change.entry.collection) ?? []) sink.accept(change);
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
}
