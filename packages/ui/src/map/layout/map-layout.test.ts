import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrowStep } from './arrow-steps.ts';
import { BoxIndex } from './box-index.ts';
import { layoutMap, type PlacedNode } from './map-layout.ts';
import { pendingCells } from './pending-cells.ts';
import type { Rectangle } from './rectangle.ts';

const area = { width: 1000, height: 700 };
const nodes = fc
  .array(
    fc.record({
      cores: fc.constantFrom(0.5, 2, 4, 8, 16, 96, 448),
      group: fc.constantFrom('default', 'batch', 'a pool with a long name', ''),
      createdAt: fc.nat(1000),
    }),
    { maxLength: 300 },
  )
  .map((list) => list.map((node, index): PlacedNode => ({ ...node, id: `n${index}` })));

const overlaps = (a: Rectangle, b: Rectangle) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const contains = (outer: Rectangle, inner: Rectangle) =>
  inner.x >= outer.x - 0.01 &&
  inner.y >= outer.y - 0.01 &&
  inner.x + inner.width <= outer.x + outer.width + 0.01 &&
  inner.y + inner.height <= outer.y + outer.height + 0.01;

describe('the layout of the map', () => {
  it('gives every node a box inside its group, and no two boxes overlap', () => {
    fc.assert(
      fc.property(nodes, fc.integer({ min: 340, max: 4000 }), (list, width) => {
        const { boxes, groups } = layoutMap(list, { width, height: 700 });
        expect(boxes.size).toBe(list.length);
        const placed = [...boxes.values()];
        for (const [index, box] of placed.entries())
          for (const other of placed.slice(index + 1)) expect(overlaps(box, other)).toBe(false);
        for (const { id, group } of list) {
          const outer = groups.find(({ name }) => name === group)?.rectangle;
          const box = boxes.get(id);
          expect(outer !== undefined && box !== undefined && contains(outer, box)).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('keeps groups apart and within the width', () => {
    fc.assert(
      fc.property(nodes, (list) => {
        const { groups } = layoutMap(list, area);
        for (const [index, { rectangle }] of groups.entries()) {
          expect(rectangle.x + rectangle.width).toBeLessThanOrEqual(area.width + 0.01);
          for (const other of groups.slice(index + 1))
            expect(overlaps(rectangle, other.rectangle)).toBe(false);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('sizes nodes by their cores', () => {
    const { boxes } = layoutMap(
      [4, 16].map((cores) => ({ id: `${cores}`, cores, group: '', createdAt: 0 })),
      area,
    );
    const sizeOf = (id: string) => (boxes.get(id)?.width ?? 0) * (boxes.get(id)?.height ?? 0);
    expect(sizeOf('16') / sizeOf('4')).toBeCloseTo(4, 0);
  });

  it('shrinks nodes until all fit, and scrolls only beyond the smallest size', () => {
    const of = (count: number) =>
      layoutMap(
        Array.from({ length: count }, (_, index) => ({
          id: `${index}`,
          cores: 8,
          group: '',
          createdAt: index,
        })),
        area,
      );
    expect(of(10).height).toBeLessThanOrEqual(area.height);
    expect(of(400).height).toBeLessThanOrEqual(area.height);
    expect(of(400).scale).toBeLessThan(of(10).scale);
    expect(of(20_000).height).toBeGreaterThan(area.height);
  });

  it('puts nodes without the label last', () => {
    const list = ['', 'zone-a'].map((group, index) => ({ id: `${index}`, cores: 4, group, createdAt: 0 }));
    expect(layoutMap(list, area).groups.map(({ name }) => name)).toEqual(['zone-a', '']);
  });

  it('has nothing to show for an empty cluster', () => {
    expect(layoutMap([], area)).toMatchObject({ height: 0, groups: [] });
  });
});

describe('the index of boxes', () => {
  it('finds the box at every point of it and none between boxes', () => {
    fc.assert(
      fc.property(nodes, fc.nat(1000), fc.nat(2000), (list, x, y) => {
        const { boxes } = layoutMap(list, area);
        const expected = [...boxes].find(([, at]) =>
          overlaps(at, { x, y, width: 0.001, height: 0.001 }),
        )?.[0];
        expect(new BoxIndex(boxes).at(x, y)).toBe(expected);
      }),
    );
  });
});

describe('arrow keys', () => {
  const boxes = new Map<string, Rectangle>(
    [0, 1, 2].flatMap((row) =>
      [0, 1, 2].map(
        (column) => [`${row}${column}`, { x: column * 20, y: row * 20, width: 15, height: 15 }] as const,
      ),
    ),
  );
  const step = (id: string, key: Parameters<typeof arrowStep>[2]) => {
    const from = boxes.get(id);
    return from === undefined ? undefined : arrowStep(boxes, from, key);
  };

  it('go to the neighbour in their direction, and nowhere at the edge', () => {
    expect(step('11', 'ArrowLeft')).toBe('10');
    expect(step('11', 'ArrowRight')).toBe('12');
    expect(step('11', 'ArrowUp')).toBe('01');
    expect(step('11', 'ArrowDown')).toBe('21');
    expect(step('00', 'ArrowLeft')).toBeUndefined();
  });

  it('reach every box from every other', () => {
    const reached = new Set(['00']);
    for (const id of reached)
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const) {
        const next = step(id, key);
        if (next !== undefined) reached.add(next);
      }
    expect(reached.size).toBe(boxes.size);
  });
});

describe('pending pods', () => {
  const side = { x: 0, y: 0, width: 120, height: 400 };
  const uids = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);

  it('all have a place as long as there is room, and the others are counted', () => {
    const few = pendingCells(uids(10), side);
    expect([few.cells.size, few.hidden]).toEqual([10, 0]);
    const many = pendingCells(uids(5_000), side);
    expect(many.cells.size + many.hidden).toBe(5_000);
    expect(many.hidden).toBeGreaterThan(0);
    for (const cell of many.cells.values()) expect(contains(side, cell)).toBe(true);
  });
});
