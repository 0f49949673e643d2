/** Deduplicates concurrent calls: callers with the same key share one call and its result or error. */
export class SharedCalls<K, V> {
  readonly #calls = new Map<K, Promise<V>>();

  async call(key: K, make: () => Promise<V>): Promise<V> {
    const earlier = this.#calls.get(key);
    if (earlier !== undefined) return earlier;
    const call = make();
    this.#calls.set(key, call);
    try {
      return await call;
    } finally {
      this.#calls.delete(key);
    }
  }
}
