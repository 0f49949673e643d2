import { rounds } from '@karpenter/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pack, packSteps } from './pack.ts';
import type { Cap, Offer, PackedNode, Packing, PackingItem, PackingProblem } from './packing-problem.ts';
import { CoverProgram } from './valuation/cover-program.ts';

const mask = (...offers: readonly number[]): Uint32Array => {
  const words = new Uint32Array(2);
  for (const offer of offers) words[offer >>> 5] = (words[offer >>> 5] ?? 0) | (1 << (offer & 31));
  return words;
};
const offer = (price: number, ...room: readonly number[]): Offer => ({
  room: Float64Array.from(room),
  price,
});
const items = (count: number, offers: Uint32Array, ...size: readonly number[]): PackingItem => ({
  count,
  size: Float64Array.from(size),
  offers,
});
const problem = (given: Partial<PackingProblem>): PackingProblem => ({
  resources: 1,
  offers: [],
  items: [],
  caps: [],
  conflicts: [],
  reserved: [],
  kinds: Uint32Array.from((given.offers ?? []).keys()),
  ...given,
});

const priceOf = (given: PackingProblem, packing: Packing): number =>
  packing.nodes.reduce((sum, node) => sum + node.times * (given.offers[node.offer]?.price ?? 0), 0);
const nodesOf = (packing: Packing): number => packing.nodes.reduce((sum, node) => sum + node.times, 0);
const lost = (packing: Packing): number => packing.unplaced.reduce((sum, units) => sum + units, 0);

const allows = (kind: PackingItem | undefined, index: number): boolean =>
  (((kind?.offers[index >>> 5] ?? 0) >>> (index & 31)) & 1) === 1;

/** Whether one node may hold the contents, worked out from the contract alone. */
function holds(given: PackingProblem, index: number, contents: PackedNode['contents']): boolean {
  const units = new Map(contents);
  const fits = Array.from({ length: given.resources }, (_, r) =>
    contents.reduce((sum, [kind, count]) => sum + count * (given.items[kind]?.size[r] ?? 0), 0),
  ).every((used, r) => used <= (given.offers[index]?.room[r] ?? 0));
  const capped = given.caps.every(
    (cap) => [...new Set(cap.items)].reduce((sum, kind) => sum + (units.get(kind) ?? 0), 0) <= cap.most,
  );
  const apart = given.conflicts.every(([a, b]) => !(units.has(a) && units.has(b)));
  return fits && capped && apart && contents.every(([kind]) => allows(given.items[kind], index));
}

function faults(given: PackingProblem, packing: Packing): string[] {
  const left = given.items.map((kind) => kind.count);
  for (const { contents, times } of packing.nodes)
    for (const [kind, count] of contents) left[kind] = (left[kind] ?? 0) - count * times;
  const reserved = given.reserved.map(
    (reservation, s) => reservation - taken(given, packing, (by) => (by.reservation === s ? 1 : 0)),
  );
  const limitsLeft = Array.from(
    given.limitsLeft ?? [],
    (amount, r) => amount - taken(given, packing, (by) => by.limitUsage?.[r] ?? 0),
  );
  return [
    ...packing.nodes.flatMap((node) => nodeFaults(given, node)),
    ...left.filter((units, kind) => units !== packing.unplaced[kind]).map(() => 'units lost or made up'),
    ...reserved.filter((left) => left < 0).map(() => 'a reservation is overdrawn'),
    ...limitsLeft.filter((amount) => amount < 0).map(() => 'a limit is exceeded'),
  ];
}

const taken = (given: PackingProblem, packing: Packing, amount: (offer: Offer) => number): number =>
  packing.nodes.reduce((sum, node) => {
    const by = given.offers[node.offer];
    return sum + (by ? node.times * amount(by) : 0);
  }, 0);

function nodeFaults(given: PackingProblem, node: PackedNode): string[] {
  const kinds = node.contents.map(([kind]) => kind);
  const ascending = kinds.every((kind, i) => i === 0 || kind > (kinds[i - 1] ?? 0));
  return [
    ...(node.times >= 1 && kinds.length > 0 ? [] : ['an empty node']),
    ...(node.contents.every(([, count]) => count >= 1) ? [] : ['a count of none']),
    ...(ascending ? [] : ['contents out of order']),
    ...(holds(given, node.offer, node.contents) ? [] : [`a node of offer ${node.offer} breaks a rule`]),
  ];
}

interface Shape {
  readonly kinds: number;
  readonly units: number;
  readonly limits: boolean;
}

function problems({ kinds, units, limits }: Shape): fc.Arbitrary<PackingProblem> {
  return fc
    .record({ resources: fc.integer({ min: 1, max: 3 }), offers: fc.integer({ min: 1, max: 40 }) })
    .chain((n) => {
      const vector = (max: number) =>
        fc
          .array(fc.integer({ min: 0, max }), { minLength: n.resources, maxLength: n.resources })
          .map((a) => Float64Array.from(a));
      const anOffer = fc.record(
        {
          room: vector(20),
          price: fc.integer({ min: 0, max: 30 }),
          ...(limits ? { reservation: fc.integer({ min: 0, max: 1 }), limitUsage: vector(4) } : {}),
        },
        { requiredKeys: ['room', 'price'] },
      );
      const aKind = fc.record({
        count: fc.integer({ min: 0, max: units }),
        size: vector(6),
        offers: fc
          .array(fc.nat(n.offers - 1), { maxLength: n.offers })
          .map((list) => (list.length % 3 ? mask(...list) : mask(...Array(n.offers).keys()))),
      });
      const kind = fc.nat(kinds - 1);
      return fc.record({
        resources: fc.constant(n.resources),
        kinds: fc.constant(Uint32Array.from({ length: n.offers }, (_, offer) => offer)),
        offers: fc.array(anOffer, { minLength: n.offers, maxLength: n.offers }),
        items: fc.array(aKind, { minLength: kinds, maxLength: kinds }),
        caps: fc.array(fc.record({ items: fc.array(kind, { maxLength: 4 }), most: fc.nat(3) }), {
          maxLength: 2,
        }),
        conflicts: fc.array(
          fc.tuple(kind, kind).filter(([a, b]) => a !== b),
          { maxLength: kinds > 1 ? 3 : 0 },
        ),
        reserved: fc.constant(limits ? [2, 0] : []),
        ...(limits
          ? {
              limitsLeft: fc
                .array(fc.nat(40), { minLength: n.resources, maxLength: n.resources })
                .map((a) => Float64Array.from(a)),
            }
          : {}),
      });
    });
}

/** The cheapest packing by trying every division of the units, for a handful of them. */
function lowestPrice(given: PackingProblem): number {
  const units = given.items.flatMap((kind, index) => Array.from({ length: kind.count }, () => index));
  const all = (1 << units.length) - 1;
  const alone = Array.from({ length: all + 1 }, (_, subset) =>
    cheapestNode(given, contentsOf(units, subset)),
  );
  const best = new Float64Array(all + 1).fill(Number.POSITIVE_INFINITY);
  best[0] = 0;
  for (let subset = 1; subset <= all; subset++)
    for (let part = subset; part > 0; part = (part - 1) & subset)
      best[subset] = Math.min(best[subset] ?? 0, (alone[part] ?? 0) + (best[subset & ~part] ?? 0));
  return best[all] ?? 0;
}

function contentsOf(units: readonly number[], subset: number): [number, number][] {
  const counts = new Map<number, number>();
  units.forEach((kind, unit) => {
    if ((subset >>> unit) & 1) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  });
  return [...counts];
}

const cheapestNode = (given: PackingProblem, contents: [number, number][]): number =>
  given.offers.reduce(
    (least, { price }, index) => (price < least && holds(given, index, contents) ? price : least),
    Number.POSITIVE_INFINITY,
  );

describe('pack', () => {
  it.each([
    ['a few kinds', { kinds: 6, units: 12, limits: false }, rounds({ quick: 200, full: 1000 })],
    [
      'a few kinds within reservations and limits',
      { kinds: 6, units: 12, limits: true },
      rounds({ quick: 200, full: 1000 }),
    ],
    ['many kinds', { kinds: 90, units: 3, limits: false }, rounds({ quick: 50, full: 250 })],
    [
      'many kinds within reservations and limits',
      { kinds: 90, units: 3, limits: true },
      rounds({ quick: 50, full: 250 }),
    ],
    [
      'one kind within reservations and limits',
      { kinds: 1, units: 200, limits: true },
      rounds({ quick: 100, full: 500 }),
    ],
  ])('breaks no rule and loses no unit of %s', (_, shape, numRuns) => {
    const valid = fc.property(problems(shape), (given) => {
      expect(faults(given, pack(given))).toEqual([]);
    });
    fc.assert(valid, { numRuns });
  });

  it('places every unit that some offer can hold if nothing is limited', () => {
    fc.assert(
      fc.property(problems({ kinds: 8, units: 9, limits: false }), (given) => {
        const { unplaced } = pack(given);
        given.items.forEach((kind, index) => {
          const possible = given.offers.some((_, o) => holds(given, o, [[index, 1]]));
          expect(unplaced[index]).toBe(possible ? 0 : kind.count);
        });
      }),
      { numRuns: rounds({ quick: 200, full: 1000 }) },
    );
  });

  it('gives the same packing for the same problem, at once or in steps', () => {
    fc.assert(
      fc.property(problems({ kinds: 8, units: 20, limits: true }), (given) => {
        const steps = packSteps(given);
        let step = steps.next();
        while (!step.done) step = steps.next();
        expect(step.value).toEqual(pack(given));
      }),
      { numRuns: rounds({ quick: 100, full: 300 }) },
    );
  });

  it('comes near the lowest price of small problems: never above twice, 4 % on average', () => {
    const ratios: number[] = [];
    fc.assert(
      fc.property(problems({ kinds: 4, units: 2, limits: false }), (drawn) => {
        const placeable = drawn.items.map((kind, k) =>
          drawn.offers.some((_, o) => holds(drawn, o, [[k, 1]])) ? kind : { ...kind, count: 0 },
        );
        const given = { ...drawn, items: placeable };
        const lowest = lowestPrice(given);
        const price = priceOf(given, pack(given));
        expect(price).toBeGreaterThanOrEqual(lowest);
        expect(price).toBeLessThanOrEqual(2 * lowest);
        if (lowest > 0) ratios.push(price / lowest);
      }),
      { numRuns: 1500, seed: 7 },
    );
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeLessThan(1.04);
  });

  it('finds the lowest price when there is one kind of item', () => {
    fc.assert(
      fc.property(problems({ kinds: 1, units: 8, limits: false }), (given) => {
        if (lost(pack(given)) > 0) return;
        expect(priceOf(given, pack(given))).toBe(lowestPrice(given));
      }),
      { numRuns: rounds({ quick: 100, full: 500 }) },
    );
  });

  it('stays valid and near the best price per unit with very many units', () => {
    const given = problem({ offers: [offer(1, 3), offer(3, 10)], items: [items(100_003, mask(0, 1), 1)] });
    const packing = pack(given);
    expect(faults(given, packing)).toEqual([]);
    expect(priceOf(given, packing)).toBe(30_001);
  });

  it('does not lose units because there are more of them', () => {
    fc.assert(
      fc.property(problems({ kinds: 5, units: 10, limits: false }), fc.nat(4), (given, more) => {
        const larger = {
          ...given,
          items: given.items.map((kind, k) => (k === more ? { ...kind, count: kind.count + 7 } : kind)),
        };
        const before = pack(given).unplaced;
        pack(larger).unplaced.forEach((units, k) => {
          if (k !== more) expect(units).toBe(before[k]);
        });
      }),
      { numRuns: rounds({ quick: 100, full: 300 }) },
    );
  });
});

describe('pack at the edges', () => {
  it.each([
    ['no offers', problem({ items: [items(3, mask(), 1)] }), 0, 3],
    ['no items', problem({ offers: [offer(1, 4)] }), 0, 0],
    [
      'an item larger than every node',
      problem({ offers: [offer(1, 4)], items: [items(2, mask(0), 5)] }),
      0,
      2,
    ],
    ['items of no size', problem({ offers: [offer(1, 4)], items: [items(1000, mask(0), 0)] }), 1, 0],
    [
      'a reservation without instances',
      problem({ offers: [{ ...offer(1, 4), reservation: 0 }], items: [items(2, mask(0), 1)], reserved: [0] }),
      0,
      2,
    ],
    [
      'a reservation of one instance',
      problem({ offers: [{ ...offer(1, 4), reservation: 0 }], items: [items(6, mask(0), 1)], reserved: [1] }),
      1,
      2,
    ],
    [
      'a limit of zero',
      problem({
        offers: [{ ...offer(1, 4), limitUsage: Float64Array.of(1) }],
        items: [items(2, mask(0), 1)],
        limitsLeft: Float64Array.of(0),
      }),
      0,
      2,
    ],
    [
      'nodes for nothing',
      problem({ offers: [offer(0, 1), offer(0, 4)], items: [items(8, mask(0, 1), 1)] }),
      2,
      0,
    ],
    [
      'a cap of none',
      problem({ offers: [offer(1, 4)], items: [items(2, mask(0), 1)], caps: [{ items: [0], most: 0 }] }),
      0,
      2,
    ],
    [
      'a mask without offers',
      problem({ offers: [offer(1, 4)], items: [items(2, new Uint32Array(0), 1)] }),
      0,
      2,
    ],
    ['items of no units', problem({ offers: [offer(1, 4)], items: [items(0, mask(0), 1)] }), 0, 0],
  ])('handles %s', (_, given, nodes, unplaced) => {
    const packing = pack(given);
    expect(faults(given, packing)).toEqual([]);
    expect([nodesOf(packing), lost(packing)]).toEqual([nodes, unplaced]);
  });

  it('uses fewer nodes at the same price', () => {
    const given = problem({ offers: [offer(1, 1), offer(4, 4)], items: [items(8, mask(0, 1), 1)] });
    expect(nodesOf(pack(given))).toBe(2);
  });

  it('uses cheap nodes for most items if one item needs an expensive one', () => {
    const given = problem({
      offers: [offer(1, 10), offer(3, 10)],
      items: [items(100, mask(0, 1), 1), items(1, mask(1), 1)],
    });
    expect(priceOf(given, pack(given))).toBeLessThanOrEqual(13);
  });

  it('fills the nodes that a cap forces with the other items', () => {
    const one: Cap = { items: [0], most: 1 };
    const given = problem({
      offers: [offer(1, 2), offer(2, 4), offer(16, 32)],
      items: [items(10, mask(0, 1, 2), 1), items(30, mask(0, 1, 2), 1)],
      caps: [one],
    });
    expect(priceOf(given, pack(given))).toBe(20);
  });

  it('uses reserved offers before others', () => {
    const given = problem({
      offers: [{ ...offer(0, 4), reservation: 0 }, offer(2, 4)],
      items: [items(12, mask(0, 1), 1)],
      reserved: [2],
    });
    expect(priceOf(given, pack(given))).toBe(2);
  });
});

/** Batch jobs: thirty sizes of pods, and nodes of three proportions whose prices are a little uneven. */
function batchJobs(units: number): PackingProblem {
  const offers = [2, 4, 8].flatMap((gib, family) =>
    [4, 8, 16, 32, 48, 64].map((cpus, step) =>
      offer(
        cpus * (10 + 3 * family) * (1 + ((7 * step + 5 * family) % 4) / 50) + 3,
        cpus - 1,
        cpus * gib - 3,
      ),
    ),
  );
  const all = mask(...offers.keys());
  const sizes = [2, 4, 6, 8, 12].flatMap((cpu) => [8, 16, 24, 32, 48, 60].map((gib) => [cpu, gib] as const));
  return problem({ resources: 2, offers, items: sizes.map((size) => items(units, all, ...size)) });
}

/** What the items cost if nodes and items could be divided at will. */
function dividedPrice(given: PackingProblem): number {
  const total = (r: number) => given.items.reduce((sum, { count, size }) => sum + count * (size[r] ?? 0), 0);
  const program = new CoverProgram(Float64Array.of(1e9, 1e9));
  for (const { room, price } of given.offers)
    program.add(
      price,
      room.map((amount, r) => amount / total(r)),
    );
  return program.solve(100);
}

describe('a packing of a few units of five sizes', () => {
  it('costs as little as is possible, although there are many ways to divide them', () => {
    const either = mask(0, 1);
    const given = problem({
      resources: 2,
      offers: [offer(52, 479, 884), offer(10, 79, 144)],
      items: [
        items(5, either, 40, 20),
        items(8, either, 7, 11),
        items(3, either, 20, 60),
        items(9, either, 7, 7),
        items(13, either, 30, 45),
      ],
    });
    // What an integer programme finds (`exact-optimum`).
    expect(priceOf(given, pack(given))).toBe(92);
  });
});

describe('a packing of many units of few sizes', () => {
  it('costs little more than nodes and items that can be divided at will', () => {
    const given = batchJobs(60);
    const packing = pack(given);
    expect(faults(given, packing)).toEqual([]);
    expect(priceOf(given, packing)).toBeLessThan(1.045 * dividedPrice(given));
  });
});
