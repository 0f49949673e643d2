import type { Requirements } from '../../requirements/index.ts';
import type { PlanContext } from '../context/plan-context.ts';
import type { NodeTemplate } from '../instance-types/node-template.ts';
import { masksMeet } from '../instance-types/offer-mask.ts';
import { filterTolerates, type NodeFilter } from '../topology/node-filter.ts';

/** A planned node whose labels are not all decided yet. */
export interface UndecidedNode {
  readonly template: NodeTemplate;
  readonly requirements: Requirements;
  /** The kinds of offers it may launch on. */
  readonly mask: Uint32Array;
}

/** Decides which planned nodes a spread constraint counts, by its node filter. */
export class CountedNodes {
  readonly #context: PlanContext;
  /** By identity, which stays valid because a node that is narrowed further becomes a new object. */
  readonly #known = new WeakMap<NodeFilter, WeakMap<UndecidedNode, boolean>>();

  constructor(context: PlanContext) {
    this.#context = context;
  }

  areCountedBy(filter: NodeFilter | undefined, node: UndecidedNode): boolean {
    if (filter === undefined) return true;
    const byNode = this.#known.get(filter) ?? new WeakMap<UndecidedNode, boolean>();
    this.#known.set(filter, byNode);
    const known = byNode.get(node);
    if (known !== undefined) return known;
    const isCounted = this.#accepts(filter, node);
    byNode.set(node, isCounted);
    return isCounted;
  }

  /**
   * A label that is not decided may still get a value that the filter accepts, unless none of the offers has
   * it: a pool with only amd64 types has no nodes for a filter on arm64, even if it does not require amd64.
   */
  #accepts(filter: NodeFilter, { template, requirements, mask }: UndecidedNode): boolean {
    if (!filterTolerates(filter, template.taints)) return false;
    const { alternatives } = filter;
    if (alternatives.length === 0) return true;
    const { wellKnown, pools } = this.#context;
    const masks = pools.masksOf(template);
    return alternatives.some(
      (alternative) =>
        requirements.compatible(alternative, wellKnown) &&
        masksMeet(mask, masks.allowedBy(requirements.and(alternative))),
    );
  }
}
