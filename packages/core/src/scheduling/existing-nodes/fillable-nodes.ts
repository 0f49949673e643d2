import { addTo } from '../context/resource-axes.ts';
import { type ExistingNode, emptiedNode } from './existing-node.ts';

/** A node of a simulation. */
export interface FillableNode {
  readonly node: ExistingNode;
  /** A copy that a plan fills and that is emptied after it, because copying all nodes for each plan takes longer. */
  readonly scratch: ExistingNode;
}

export function fillableNode(node: ExistingNode): FillableNode {
  return { node, scratch: emptiedNode(node) };
}

/** To remove more nodes than this, one pass over the list is faster than a splice for each. */
const maxSplices = 64;

/**
 * The nodes of a simulation, in the order in which they are filled. A search reads all but a few of ten thousand nodes
 * thousands of times, so that its methods avoid passes over all nodes.
 */
export class FillableNodes {
  readonly all: readonly FillableNode[];
  readonly #nodes: ExistingNode[] = [];
  readonly #scratches: ExistingNode[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #room: Float64Array;

  /** @param nothing a vector of zeros with all axes */
  constructor(all: readonly FillableNode[], nothing: Float64Array) {
    this.all = all;
    this.#room = nothing.slice();
    // One pass without further objects, because a search settles hundreds of commands.
    for (const [index, { node, scratch }] of all.entries()) {
      this.#nodes.push(node);
      this.#scratches.push(scratch);
      this.#indexes.set(node.name, index);
      addTo(this.#room, node.room);
    }
  }

  named(name: string): ExistingNode | undefined {
    return this.#nodes[this.#indexes.get(name) ?? -1];
  }

  /** All nodes but these, and their scratch copies in the same order. */
  except(gone: ReadonlySet<string>) {
    const indexes = this.#indexesOf(gone);
    return { nodes: without(this.#nodes, indexes), scratches: without(this.#scratches, indexes) };
  }

  /** The room of all nodes but these together. Amounts are whole numbers, so that subtracting from the sum is exact. */
  roomExcept(gone: ReadonlySet<string>): Float64Array {
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
  if (indexes.length > maxSplices) {
    const gone = new Set(indexes);
    return items.filter((_, index) => !gone.has(index));
  }
  const left = items.slice();
  for (const index of indexes) left.splice(index, 1);
  return left;
}
