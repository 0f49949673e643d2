import type { RequirementItem } from '@karpenter/core/requirements';

/**
 * Hands out one object for each requirement on a label, and one list for each set of them, however many types have
 * it: a thousand types for twenty NodeClasses say the same few things over and over.
 */
export class RequirementPool {
  readonly #items = new Map<string, RequirementItem>();
  readonly #lists = new Map<string, readonly RequirementItem[]>();
  readonly #numbers = new Map<RequirementItem, number>();
  readonly #remembered = new WeakMap<object, readonly RequirementItem[]>();

  /** `In` the values, in order; without any, the label is not there. */
  item(key: string, values: readonly string[]): RequirementItem {
    const name = [key, ...values].join('\n');
    const known = this.#items.get(name);
    if (known !== undefined) return known;
    const made: RequirementItem = Object.freeze(
      values.length === 0
        ? { key, operator: 'DoesNotExist' }
        : { key, operator: 'In', values: Object.freeze([...values].sort()) },
    );
    this.#items.set(name, made);
    this.#numbers.set(made, this.#numbers.size);
    return made;
  }

  /** What follows from an object alone is worked out once for it. */
  remembered(source: object, make: () => readonly RequirementItem[]): readonly RequirementItem[] {
    const known = this.#remembered.get(source);
    if (known !== undefined) return known;
    const made = make();
    this.#remembered.set(source, made);
    return made;
  }

  /** A list of items of this pool. */
  list(items: readonly RequirementItem[]): readonly RequirementItem[] {
    const name = items.map((item) => this.#numbers.get(item)).join();
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const made = Object.freeze([...items]);
    this.#lists.set(name, made);
    return made;
  }
}
