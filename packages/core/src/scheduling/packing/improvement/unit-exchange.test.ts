import { describe, expect, it } from 'vitest';
import { type Market, openMarket } from '../market.ts';
import type { Cap, PackingProblem } from '../packing-problem.ts';
import { type Slot, usedBy } from './slot.ts';
import { UnitExchange } from './unit-exchange.ts';

interface Given {
  /** CPU and GiB of each kind of units, of which there are two. */
  readonly sizes: readonly (readonly [number, number])[];
  readonly caps?: readonly Cap[];
  readonly conflicts?: PackingProblem['conflicts'];
}

/** Nodes of 1 to 8 CPU with 4 GiB each, at $1 a CPU. */
function marketOf({ sizes, caps = [], conflicts = [] }: Given): Market {
  const steps = openMarket({
    resources: 2,
    offers: Array.from({ length: 8 }, (_, i) => ({
      room: Float64Array.of(i + 1, 4 * (i + 1)),
      price: i + 1,
    })),
    kinds: new Uint32Array(8),
    items: sizes.map((size) => ({ count: 2, size: Float64Array.from(size), offers: Uint32Array.of(1) })),
    caps,
    conflicts,
    reserved: [],
  });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** A slot of so many CPU with one unit of each group. */
function slotOf(market: Market, cpus: number, group: number[]): Slot {
  const units = group.map(() => 1);
  return { offer: cpus - 1, group, units, used: usedBy(market, group, units) };
}

function exchanged(
  market: Market,
  slots: readonly Slot[],
): readonly (readonly [number, readonly number[]])[] {
  const run = new UnitExchange(market, slots).run();
  while (!run.next().done);
  return slots.map(({ offer, group }) => [offer + 1, [...group].sort()]);
}

describe('an exchange of units', () => {
  it('moves a unit to a node with room for it if its node can then be smaller', () => {
    const market = marketOf({
      sizes: [
        [2, 2],
        [1, 2],
        [3, 2],
      ],
    });
    const slots = [slotOf(market, 3, [0, 1]), slotOf(market, 4, [2])];
    expect(exchanged(market, slots)).toEqual([
      [2, [0]],
      [4, [1, 2]],
    ]);
  });

  it('exchanges a unit for a smaller one that another node has', () => {
    const market = marketOf({
      sizes: [
        [2, 8],
        [2, 2],
        [1, 4],
        [1, 12],
      ],
    });
    const slots = [slotOf(market, 4, [0, 1]), slotOf(market, 4, [2, 3])];
    const before = slots.map(({ offer }) => offer + 1);
    const after = exchanged(market, slots);
    expect(before).toEqual([4, 4]);
    expect(after).toEqual([
      [3, [0, 2]],
      [4, [1, 3]],
    ]);
  });

  it('leaves units where a cap or a conflict keeps them apart', () => {
    const sizes = [
      [2, 2],
      [1, 2],
      [3, 2],
    ] as const;
    const capped = marketOf({ sizes, caps: [{ items: [1, 2], most: 1 }] });
    expect(exchanged(capped, [slotOf(capped, 3, [0, 1]), slotOf(capped, 4, [2])])).toEqual([
      [3, [0, 1]],
      [4, [2]],
    ]);
    const apart = marketOf({ sizes, conflicts: [[1, 2]] });
    expect(exchanged(apart, [slotOf(apart, 3, [0, 1]), slotOf(apart, 4, [2])])).toEqual([
      [3, [0, 1]],
      [4, [2]],
    ]);
  });

  it('removes a node whose only unit has moved', () => {
    const market = marketOf({
      sizes: [
        [1, 2],
        [3, 2],
      ],
    });
    const slots = [slotOf(market, 2, [0]), slotOf(market, 4, [1])];
    expect(exchanged(market, slots)).toEqual([
      [0, []],
      [4, [0, 1]],
    ]);
  });
});
