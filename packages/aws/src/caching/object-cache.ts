/** Results per object; the oldest is dropped first. */
const maxResults = 16;

interface Kept<Result> {
  readonly inputs: readonly unknown[];
  readonly result: Result;
}

/**
 * Caches results by an object and a few other inputs, all compared by identity. Entries are collected together with the
 * object. For work that bursts of equal launches would repeat (ADR 0022).
 */
export class ObjectCache<Subject extends object, Result> {
  readonly #kept = new WeakMap<Subject, Kept<Result>[]>();

  get(subject: Subject, inputs: readonly unknown[], compute: () => Result): Result {
    const kept = this.#kept.get(subject) ?? [];
    const known = kept.find((one) => areSame(one.inputs, inputs));
    if (known !== undefined) return known.result;
    const result = compute();
    this.#kept.set(subject, [...kept.slice(1 - maxResults), { inputs, result }]);
    return result;
  }
}

function areSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}
