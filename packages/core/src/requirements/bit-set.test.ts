import { rounds } from '@karpenter/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitSet } from './bit-set.ts';

const members = fc.array(fc.oneof(fc.nat(70), fc.nat(40), fc.constantFrom(31, 32, 63, 64, 50_000)), {
  maxLength: 12,
});
const runs = { numRuns: rounds({ quick: 2_000, full: 10_000 }) };
const sorted = (values: Iterable<number>) => [...new Set(values)].sort((a, b) => a - b);

describe('BitSet', () => {
  it('lists its members once and in order', () => {
    fc.assert(
      fc.property(members, (list) => {
        const set = BitSet.of(list);
        expect(set.members()).toEqual(sorted(list));
        expect(set.size).toBe(new Set(list).size);
        expect(set.isEmpty).toBe(list.length === 0);
      }),
      runs,
    );
  });

  it('does set algebra as a Set does', () => {
    fc.assert(
      fc.property(members, members, (a, b) => {
        const [left, right] = [BitSet.of(a), BitSet.of(b)];
        const common = a.filter((member) => b.includes(member));
        const rest = a.filter((member) => !b.includes(member));
        expect(left.and(right).members()).toEqual(sorted(common));
        expect(left.minus(right).members()).toEqual(sorted(rest));
        expect(left.or(right).members()).toEqual(sorted([...a, ...b]));
        expect(left.meets(right)).toBe(common.length > 0);
        expect(left.exceeds(right)).toBe(rest.length > 0);
        expect(left.equals(right)).toBe(sorted(a).join() === sorted(b).join());
      }),
      runs,
    );
  });

  it('has one form for each set, whatever operations led to it', () => {
    fc.assert(
      fc.property(members, members, (a, b) => {
        const direct = BitSet.of(a.filter((member) => !b.includes(member)));
        const derived = BitSet.of([...a, ...b]).minus(BitSet.of(b));
        expect(derived.equals(direct)).toBe(true);
        expect(derived.words?.length).toBe(direct.words?.length);
      }),
      runs,
    );
  });

  it('stays the same object when an operation changes nothing', () => {
    const set = BitSet.of([1, 40]);
    expect(set.and(BitSet.of([1, 2, 40]))).toBe(set);
    expect(set.minus(BitSet.of([2, 90]))).toBe(set);
    expect(set.or(BitSet.of([40]))).toBe(set);
  });

  it('keeps a single far member in one word', () => {
    expect(BitSet.of([50_000]).words).toBeUndefined();
    expect(BitSet.of([50_000, 50_040]).words).toHaveLength(2);
  });

  it('gives the right answer for members far outside its range', () => {
    expect(BitSet.of([33, 70]).has(0)).toBe(false);
    expect(BitSet.of([33, 70]).has(1_000_000)).toBe(false);
    expect(BitSet.empty.has(0)).toBe(false);
  });
});
