/** Tells whether something is news, so that people are told only of what has changed. */
export class ChangeMonitor {
  readonly #seen = new Map<string, string>();

  /** Remembers what was seen under the key, and whether it is other than before. */
  isNews(key: string, value: unknown): boolean {
    const text = JSON.stringify(value) ?? '';
    if (this.#seen.get(key) === text) return false;
    this.#seen.set(key, text);
    return true;
  }
}
