import { rounds } from '@karpenter/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CoverProgram } from './cover-program.ts';

const rows = 5;
const amounts = (min: number, max: number) =>
  fc
    .array(fc.integer({ min, max }), { minLength: rows, maxLength: rows })
    .map((list) => Float64Array.from(list));
const program = fc.record({
  alone: amounts(1, 50),
  demand: amounts(0, 9),
  columns: fc.array(fc.record({ cost: fc.integer({ min: 1, max: 60 }), covers: amounts(0, 4) }), {
    maxLength: 12,
  }),
});

describe('CoverProgram', () => {
  it('proves its cover cheapest: the duals allow no cheaper one and the cover costs what they say', () => {
    fc.assert(
      fc.property(program, ({ alone, demand, columns }) => {
        const cover = new CoverProgram(alone);
        for (const { cost, covers } of columns) cover.add(cost, covers);
        cover.restart(demand);
        const claimed = cover.solve(1000);

        for (const [row, dual] of cover.duals.entries()) {
          expect(dual).toBeGreaterThan(-1e-6);
          expect(dual).toBeLessThan((alone[row] ?? 0) + 1e-6);
        }
        for (const { cost, covers } of columns)
          expect(covers.reduce((sum, entry, row) => sum + entry * (cover.duals[row] ?? 0), 0)).toBeLessThan(
            cost + 1e-6,
          );

        const missing = demand.slice();
        let paid = 0;
        cover.each((column, amount) => {
          expect(amount).toBeGreaterThan(-1e-6);
          paid += amount * (columns[column]?.cost ?? 0);
          columns[column]?.covers.forEach((entry, row) => {
            missing[row] = (missing[row] ?? 0) - amount * entry;
          });
        });
        missing.forEach((amount, row) => {
          paid += Math.max(0, amount) * (alone[row] ?? 0);
        });
        expect(paid).toBeCloseTo(claimed, 5);
      }),
      { numRuns: rounds({ quick: 200, full: 1000 }) },
    );
  });

  it('keeps its cover when it drops useless columns', () => {
    const cover = new CoverProgram(Float64Array.of(10, 10));
    cover.add(30, Float64Array.of(1, 0));
    cover.add(6, Float64Array.of(1, 1));
    const cost = cover.solve(100);
    const kept: number[] = [];
    cover.dropColumns(0.05, (column) => kept.push(column));
    expect(kept).toEqual([1]);
    expect(cover.solve(100)).toBeCloseTo(cost);
    const taken: [number, number][] = [];
    cover.each((column, amount) => taken.push([column, amount]));
    expect(taken).toEqual([[0, 1]]);
  });
});
