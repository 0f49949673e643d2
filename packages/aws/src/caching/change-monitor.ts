/**
 * Detects changed values, so that logs report a discovery
 * only when it changes. Like Karpenter's ChangeMonitor.
 */
export class ChangeMonitor {
  readonly #seen = new Map<string, string>();

  /** Stores the value of a key and returns whether it differs from the previous one. */
  isNews(key: string, value: unknown): boolean {
    const text = JSON.stringify(value) ?? '';
    if (this.#seen.get(key) === text) return false;
    this.#seen.set(key, text);
    return true;
  }
}
