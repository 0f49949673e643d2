import type { Requirements } from '../../requirements/index.ts';
import type { PlanContext } from '../context/plan-context.ts';
import type { NodeTemplate } from '../instance-types/node-template.ts';
import { masksMeet } from '../instance-types/offer-mask.ts';
import { filterTolerates, type NodeFilter } from '../topology/node-filter.ts';

/** A new node as far as it is settled. */
export interface UnsettledNode {
  readonly template: NodeTemplate;
  readonly requirements: Requirements;
  /** The offers it may be launched on. */
  readonly mask: Uint32Array;
}

/** Which new nodes a spread constraint looks at. */
export class CountedNodes {
  readonly #context: PlanContext;
  readonly #known = new WeakMap<NodeFilter, WeakMap<UnsettledNode, boolean>>();

  constructor(context: PlanContext) {
    this.#context = context;
  }

  areSeenBy(filter: NodeFilter | undefined, node: UnsettledNode): boolean {
    if (filter === undefined) return true;
    const byNode = this.#known.get(filter) ?? new WeakMap<UnsettledNode, boolean>();
    this.#known.set(filter, byNode);
    const known = byNode.get(node);
    if (known !== undefined) return known;
    const isSeen = this.#accepts(filter, node);
    byNode.set(node, isSeen);
    return isSeen;
  }

  /**
   * What is not settled may still become what the filter wants, unless no node that is left is so: a pool of amd64
   * nodes has no nodes for a filter on arm64, whether or not it says so.
   */
  #accepts(filter: NodeFilter, { template, requirements, mask }: UnsettledNode): boolean {
    if (!filterTolerates(filter, template.taints)) return false;
    const { alternatives } = filter;
    if (alternatives.length === 0) return true;
    const { wellKnown, pools } = this.#context;
    const masks = pools.masksOf(template);
    return alternatives.some(
      (wanted) =>
        requirements.compatible(wanted, wellKnown) &&
        masksMeet(mask, masks.allowedBy(requirements.and(wanted))),
    );
  }
}
