import { fitsInto } from '../context/resource-axes.ts';
import type { ExistingNode } from './existing-node.ts';

const nodesPerBlock = 64;

interface Block {
  readonly nodes: readonly ExistingNode[];
  /** Resource by resource, the most that any of the nodes has left. */
  readonly mostRoom: Float64Array;
}

/**
 * Nodes in blocks, so that placement skips full nodes: of ten thousand nodes few have room, and each class of pods
 * searches for them. `mostRoom` is not updated: placing pods only reduces room, so that it stays an upper bound.
 */
export class NodeBlocks {
  readonly #blocks: readonly Block[];

  constructor(nodes: readonly ExistingNode[]) {
    const count = Math.ceil(nodes.length / nodesPerBlock);
    this.#blocks = Array.from({ length: count }, (_, index) =>
      blockOf(nodes.slice(index * nodesPerBlock, (index + 1) * nodesPerBlock)),
    );
  }

  /** The nodes of the blocks in which a request may fit, in their order, block by block. */
  mayHold(size: Float64Array): readonly (readonly ExistingNode[])[] {
    return this.#blocks.filter(({ mostRoom }) => fitsInto(size, mostRoom)).map(({ nodes }) => nodes);
  }
}

function blockOf(nodes: readonly ExistingNode[]): Block {
  const mostRoom = nodes[0]?.room.slice() ?? new Float64Array();
  for (const { room } of nodes)
    for (let axis = 0; axis < mostRoom.length; axis++)
      mostRoom[axis] = Math.max(mostRoom[axis] ?? 0, room[axis] ?? 0);
  return { nodes, mostRoom };
}
