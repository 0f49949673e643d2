import { describe, expect, it } from 'vitest';
import type { ExistingNode } from './existing-node.ts';
import { FillableNodes, fillableNode } from './fillable-nodes.ts';
import { NodeBlocks } from './node-blocks.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A node with so many millicores and bytes left. */
function nodeWith(name: string, room: readonly number[]): ExistingNode {
  return {
    name,
    hostname: name,
    requirements: {} as ExistingNode['requirements'],
    taints: [],
    room: Float64Array.from(room),
    ports: [],
    volumes: new Map(),
    volumeLimits: new Map(),
    initialized: true,
    refusesMoved: false,
    placed: [],
  };
}

const nodes = numbers(300).map((index) => nodeWith(`n${index}`, [index * 10, (index * 7919) % 997]));
const nothing = new Float64Array(2);

describe('the nodes of a simulation', () => {
  const places = new FillableNodes(nodes.map(fillableNode), nothing);

  it.each([[[]], [['n0']], [['n299', 'n7', 'unknown']], [numbers(200).map((index) => `n${index}`)]])(
    'are those that stay, in their order, with the room they have together: without %j',
    (names) => {
      const gone = new Set(names);
      const staying = nodes.filter(({ name }) => !gone.has(name));
      const { nodes: left, scratches } = places.except(gone);
      expect(left).toEqual(staying);
      expect(scratches.map(({ name }) => name)).toEqual(staying.map(({ name }) => name));
      const sum = (axis: number) => staying.reduce((total, { room }) => total + (room[axis] ?? 0), 0);
      expect([...places.roomExcept(gone)]).toEqual([sum(0), sum(1)]);
    },
  );

  it('are found by name', () => {
    expect(places.named('n17')).toBe(nodes[17]);
    expect(places.named('unknown')).toBeUndefined();
  });
});

describe('blocks of nodes', () => {
  const blocks = new NodeBlocks(nodes);
  const holding = (size: readonly number[]) => blocks.mayHold(Float64Array.from(size)).flat();

  it.each([[[0, 0]], [[500, 500]], [[2_900, 0]], [[2_000, 990]], [[10_000, 1]]])(
    'keep every node that has room for %j, in its order',
    (size) => {
      const fitting = nodes.filter(({ room }) => size.every((amount, axis) => amount <= (room[axis] ?? 0)));
      const kept = holding(size);
      expect(kept.filter((node) => fitting.includes(node))).toEqual(fitting);
      expect(kept).toEqual(nodes.filter((node) => kept.includes(node)));
    },
  );

  it('skip the full part of a cluster', () => {
    expect(holding([2_900, 0]).length).toBeLessThan(65);
    expect(holding([10_000, 1])).toEqual([]);
    expect(new NodeBlocks([]).mayHold(nothing)).toEqual([]);
  });
});
