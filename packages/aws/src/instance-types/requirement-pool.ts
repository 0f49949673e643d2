import type { RequirementItem } from '@karpenter/core/requirements';

type Items = readonly RequirementItem[];

/**
 * Hands out one object for each requirement on a label, and one list for each set of them that has a name, however
 * many types have it: a thousand types for twenty NodeClasses say the same few things over and over.
 */
export class RequirementPool {
  readonly #items = new Map<string, RequirementItem>();
  readonly #named = new Map<string, Items>();
  readonly #remembered = new WeakMap<object, Items>();

  /** `In` the values, in order; without any, the label is not there. */
  item(key: string, values: readonly string[]): RequirementItem {
    const name = values.length === 1 ? `${key}\n${values[0]}` : [key, ...values].join('\n');
    const known = this.#items.get(name);
    if (known !== undefined) return known;
    const made: RequirementItem = Object.freeze(
      values.length === 0
        ? { key, operator: 'DoesNotExist' }
        : { key, operator: 'In', values: Object.freeze([...values].sort()) },
    );
    this.#items.set(name, made);
    return made;
  }

  /** A list whose name says all that it depends on. */
  named(name: string, make: () => Items): Items {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const made = Object.freeze([...make()]);
    this.#named.set(name, made);
    return made;
  }

  /** What follows from an object alone is worked out once for it. */
  remembered(source: object, make: () => Items): Items {
    const known = this.#remembered.get(source);
    if (known !== undefined) return known;
    const made = make();
    this.#remembered.set(source, made);
    return made;
  }
}
