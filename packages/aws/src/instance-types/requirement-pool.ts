import type { RequirementItem } from '@karpenter/core/requirements';

type Items = readonly RequirementItem[];

/**
 * Interns requirements: one frozen object per distinct requirement and one list per name. A thousand types
 * for twenty NodeClasses repeat the same few requirements, and planners compare them by identity.
 */
export class RequirementPool {
  readonly #items = new Map<string, RequirementItem>();
  readonly #named = new Map<string, Items>();
  readonly #bySource = new WeakMap<object, Items>();

  /** Returns the requirement `In` the sorted values, or `DoesNotExist` if there are none. */
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

  /**
   * Returns the list of a name, made on first use. The name must contain everything that the list depends on.
   */
  named(name: string, make: () => Items): Items {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const made = Object.freeze([...make()]);
    this.#named.set(name, made);
    return made;
  }

  /** Returns the list of an object, made on first use; for lists that depend on that object alone. */
  cachedFor(source: object, make: () => Items): Items {
    const known = this.#bySource.get(source);
    if (known !== undefined) return known;
    const made = make();
    this.#bySource.set(source, made);
    return made;
  }
}
