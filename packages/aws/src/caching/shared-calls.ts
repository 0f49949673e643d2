/** Lets whoever asks the same while an answer is on its way wait for that answer. */
export class SharedCalls<K, V> {
  readonly #underWay = new Map<K, Promise<V>>();

  async call(key: K, make: () => Promise<V>): Promise<V> {
    const earlier = this.#underWay.get(key);
    if (earlier !== undefined) return earlier;
    const call = make();
    this.#underWay.set(key, call);
    try {
      return await call;
    } finally {
      this.#underWay.delete(key);
    }
  }
}
