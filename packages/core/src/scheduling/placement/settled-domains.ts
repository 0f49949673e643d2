import type { LabelKey, Requirement } from '../../requirements/index.ts';
import type { NodeTemplate } from '../instance-types/node-template.ts';
import type { PlacementItem } from './placement-item.ts';

interface Settled {
  readonly combinations: Map<string, readonly Requirement[]>;
  /** How many entries of `#items` are included. */
  seen: number;
}

/**
 * Domains that planned nodes of a NodePool are narrowed to so far. As in Karpenter, a pod joins such a node, and is
 * narrowed to its domains, before a new node is created for it.
 */
export class SettledDomains {
  readonly #items: PlacementItem[] = [];
  readonly #known = new Map<NodeTemplate, Map<string, Settled>>();

  add(item: PlacementItem): void {
    this.#items.push(item);
  }

  /**
   * The combinations of domains that nodes of the pool have for these keys, in the order of their creation.
   */
  of(template: NodeTemplate, keys: readonly LabelKey[]): Iterable<readonly Requirement[]> {
    const settled = this.#settled(template, keys);
    // Items are only ever appended, so each call reads only those that are new.
    for (; settled.seen < this.#items.length; settled.seen++) {
      const item = this.#items[settled.seen];
      if (item?.template !== template) continue;
      const domains = keys.flatMap((key) => single(item, key));
      const name = domains.map(({ key, bits }) => `${key.id}:${bits.members()}`).join();
      if (domains.length > 0 && !settled.combinations.has(name)) settled.combinations.set(name, domains);
    }
    return settled.combinations.values();
  }

  #settled(template: NodeTemplate, keys: readonly LabelKey[]): Settled {
    const byKeys = this.#known.get(template) ?? new Map<string, Settled>();
    this.#known.set(template, byKeys);
    const name = keys.map(({ id }) => id).join();
    const settled = byKeys.get(name) ?? { combinations: new Map(), seen: 0 };
    byKeys.set(name, settled);
    return settled;
  }
}

function single({ requirements }: PlacementItem, key: LabelKey): Requirement[] {
  const found = requirements.find(key);
  return found !== undefined && !found.complement && found.cardinality === 1 ? [found] : [];
}
