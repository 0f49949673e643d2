import { addTo } from '../context/resource-axes.ts';
import { type ExistingNode, emptiedNode } from './existing-node.ts';

/** A node of a simulation. */
export interface FillableNode {
  readonly node: ExistingNode;
  /**
   * A copy that a plan fills and that is emptied after it: copying all nodes for each simulation would take
   * longer.
   */
  readonly scratch: ExistingNode;
}

export function fillableNode(node: ExistingNode): FillableNode {
  return { node, scratch: emptiedNode(node) };
}

/** Above this many, one pass over the list is faster than moving its tail once for each. */
const mostSplices = 64;

/**
 * The nodes of a simulation, in the order in which they are filled. A search asks thousands of times for all but a
 * few of ten thousand nodes, so that what it asks for must not take a pass over all of them.
 */
export class FillableNodes {
  readonly all: readonly FillableNode[];
  readonly #nodes: readonly ExistingNode[];
  readonly #scratches: readonly ExistingNode[];
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #room: Float64Array;

  /** @param nothing a vector of zeros with all axes */
  constructor(all: readonly FillableNode[], nothing: Float64Array) {
    this.all = all;
    this.#nodes = all.map(({ node }) => node);
    this.#scratches = all.map(({ scratch }) => scratch);
    this.#indexes = new Map(all.map(({ node }, index) => [node.name, index]));
    this.#room = nothing.slice();
    for (const { room } of this.#nodes) addTo(this.#room, room);
  }

  named(name: string): ExistingNode | undefined {
    return this.#nodes[this.#indexes.get(name) ?? -1];
  }

  /** All nodes but these, and their scratch copies in the same order. */
  but(gone: ReadonlySet<string>) {
    const indexes = this.#indexesOf(gone);
    return { nodes: without(this.#nodes, indexes), scratches: without(this.#scratches, indexes) };
  }

  /** What all nodes but these have left together. Amounts are whole numbers: subtracting them again is exact. */
  roomBut(gone: ReadonlySet<string>): Float64Array {
    const left = this.#room.slice();
    for (const name of gone) {
      const node = this.named(name);
      if (node !== undefined) addTo(left, node.room, -1);
    }
    return left;
  }

  /** The last first. */
  #indexesOf(names: ReadonlySet<string>): readonly number[] {
    return Array.from(names, (name) => this.#indexes.get(name) ?? -1)
      .filter((index) => index >= 0)
      .sort((a, b) => b - a);
  }
}

function without<Item>(items: readonly Item[], indexes: readonly number[]): readonly Item[] {
  if (indexes.length > mostSplices) {
    const gone = new Set(indexes);
    return items.filter((_, index) => !gone.has(index));
  }
  const left = items.slice();
  for (const index of indexes) left.splice(index, 1);
  return left;
}
