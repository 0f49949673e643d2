/**
 * Which nodes to launch for all items at the lowest price, as plain arithmetic: placement has translated the
 * scheduling rules into masks, caps and conflicts (ADR 0007, ADR 0008).
 *
 * - An item is the pods of one class that go to one NodePool, or one shared host with all of its pods.
 * - A unit is one pod of an item; a shared host is one unit.
 * - A kind is the offers that the requirements of the pods cannot tell apart; masks are bit sets over kinds.
 *
 * Amounts are whole numbers, so that sums are exact.
 */
export interface PackingProblem {
  /** Length of every size and room; an index means the same resource everywhere. */
  readonly resources: number;
  readonly offers: readonly Offer[];
  /** The kind of each offer, by index of the offer. */
  readonly kinds: Uint32Array;
  readonly items: readonly PackingItem[];
  readonly caps: readonly Cap[];
  /** Pairs of items that must not share a node (never an item with itself: that is a cap of one). */
  readonly conflicts: readonly (readonly [number, number])[];
  /** Instances left in capacity reservations, by `Offer.reservation`; empty if no offer has a reservation. */
  readonly reserved: readonly number[];
  /** What all nodes together may use of the NodePool limits, by index of `Offer.limitUsage`; absent without limits. */
  readonly limitsLeft?: Float64Array;
  /**
   * Offers of other NodePools, at whose prices the limits are given to the items; absent to value items by `offers`.
   */
  readonly alternatives?: readonly Offer[];
}

/** An available offering: an instance type in one zone and capacity type. */
export interface Offer {
  /** Allocatable less daemon overhead. */
  readonly room: Float64Array;
  /** Dollars per hour of the instance and of what a node costs besides, such as its volumes (ADR 0057). */
  readonly price: number;
  /** What one node takes of the NodePool limits. */
  readonly limitUsage?: Float64Array;
  /** Index into `reserved`; absent if the number is unlimited. */
  readonly reservation?: number;
}

/** Units that are equal in everything that packing reads. */
export interface PackingItem {
  readonly count: number;
  readonly size: Float64Array;
  /** The mask: the kinds of offers that it allows, 32 to a word. */
  readonly offers: Uint32Array;
}

/** At most this many units of these items together on one node. */
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

/** A number of nodes with the same offer and units. */
export interface PackedNode {
  readonly times: number;
  /**
   * Index of the offer: the cheapest that all its items allow and that has room for them, within reservations
   * and limits.
   */
  readonly offer: number;
  /** Index of each item, and how many of its units. */
  readonly contents: readonly (readonly [item: number, count: number])[];
}
