/**
 * Packing without Kubernetes: how many nodes of which offers hold items of several kinds at the lowest price.
 * Amounts are whole numbers, so that sums are exact. Placement has translated the rules of scheduling into
 * masks, conflicts and caps.
 */
export interface PackingProblem {
  /** How many resources a size or room has; index for index the same resource everywhere. */
  readonly resources: number;
  readonly offers: readonly Offer[];
  /** The kind of each offer; masks of items are bit sets over kinds. */
  readonly kinds: Uint32Array;
  readonly items: readonly ItemKind[];
  /** Limits on how many units of certain items one node may have together. */
  readonly caps: readonly Cap[];
  /** Pairs of items that must not share a node (never an item with itself: that is a cap of one). */
  readonly conflicts: readonly (readonly [number, number])[];
  /** Instances left in capacity reservations, by `Offer.reservation`; empty if no offer has a reservation. */
  readonly reserved: readonly number[];
  /**
   * What all nodes together may take of the NodePool limits, by index of `Offer.limitUsage`; absent without
   * limits.
   */
  readonly limitsLeft?: Float64Array;
}

/** An available offering: an instance type in one zone and capacity type. */
export interface Offer {
  /** Allocatable less daemon overhead. */
  readonly room: Float64Array;
  /** What a node costs, with all that it costs besides its instance. */
  readonly price: number;
  /** What one node takes of the NodePool limits. */
  readonly limitUsage?: Float64Array;
  /** Index into `reserved`; absent if the number is unlimited. */
  readonly reservation?: number;
}

/** Units that are equal in everything that matters to packing. */
export interface ItemKind {
  readonly count: number;
  readonly size: Float64Array;
  /** The kinds of offers that it allows: a bit set, 32 to a word. */
  readonly offers: Uint32Array;
}

export interface Cap {
  readonly items: readonly number[];
  readonly most: number;
}

export interface Packing {
  readonly nodes: readonly PackedNode[];
  /** Units of each item without a node: limits or a reservation are used up, or no offer is large enough. */
  readonly unplaced: Uint32Array;
  /** Whether the signal `stop` ended the packing before all units were tried. */
  readonly isStopped: boolean;
}

/** A number of nodes that are filled alike. */
export interface PackedNode {
  readonly times: number;
  /**
   * Index of the offer: the cheapest that all its items allow and that holds them, as far as reservations
   * and limits go.
   */
  readonly offer: number;
  /** Index of each item, and how many of its units. */
  readonly contents: readonly (readonly [item: number, count: number])[];
}
