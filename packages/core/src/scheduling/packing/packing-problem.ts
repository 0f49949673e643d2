/**
 * Packing without Kubernetes: how many nodes of which offers to buy for items of several kinds at the
 * lowest price. All numbers are plain (whole ones, so that sums are exact); the rules of scheduling have been turned into masks, conflicts and
 * caps before.
 */
export interface PackingProblem {
  /** How many resources a size or room has; index for index the same resource everywhere. */
  readonly resources: number;
  readonly offers: readonly Offer[];
  /** The kind of each offer: what an item may be put on is said of kinds. */
  readonly kinds: Uint32Array;
  readonly items: readonly ItemKind[];
  /** At most so many units of the members together on one node. */
  readonly caps: readonly Cap[];
  /** Kinds that must not share a node, as pairs of item indexes (never a kind with itself: that is a cap). */
  readonly conflicts: readonly (readonly [number, number])[];
  /** Stock of offers that are limited in number (capacity reservations), by `Offer.stock`; none where no offer names one. */
  readonly stocks: readonly number[];
  /** What all nodes together may use up, by resource of `Offer.footprint`; absent without limits. */
  readonly budget?: Float64Array;
}

/** A node that can be bought: an instance type in one zone and capacity type. */
export interface Offer {
  /** What is left for items after the node's own needs, daemons included. */
  readonly room: Float64Array;
  readonly price: number;
  /** What it takes from the budget. */
  readonly footprint?: Float64Array;
  /** Index into `stocks` when there are only so many. */
  readonly stock?: number;
}

/** Items that are alike in everything that matters. */
export interface ItemKind {
  readonly count: number;
  readonly size: Float64Array;
  /** Which kinds of offers it may be put on: a bit set, 32 to a word. */
  readonly offers: Uint32Array;
}

export interface Cap {
  readonly items: readonly number[];
  readonly most: number;
}

export interface Packing {
  readonly nodes: readonly PackedNode[];
  /** How many of each item kind found no node (the budget or stock ran out, or nothing is large enough). */
  readonly unplaced: Uint32Array;
  /** Whether it was stopped before all that could be bought was. */
  readonly isStopped: boolean;
}

/** So many nodes filled alike. */
export interface PackedNode {
  readonly times: number;
  /**
   * The offer whose price it was made for: the cheapest that all its items allow and that holds them, as far
   * as stocks and the budget go.
   */
  readonly offer: number;
  /** Item kind and how many of it, by item index. */
  readonly contents: readonly (readonly [item: number, count: number])[];
}
