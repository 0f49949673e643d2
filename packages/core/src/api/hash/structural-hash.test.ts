import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fnv1 } from './fnv.ts';
import {
  hashBoolean,
  hashDuration,
  hashInt32,
  hashInt64,
  hashStructure,
  hashStructureUnlessZero,
  hashText,
  hashTextList,
  hashTextMap,
  ifSet,
  unlessZero,
} from './structural-hash.ts';
import { hashTime } from './time-hash.ts';

const textMaps = fc.dictionary(fc.string(), fc.string());

describe('structural hash', () => {
  it('does not depend on the order of map entries', () => {
    fc.assert(
      fc.property(textMaps, (map) => {
        const reversed = Object.fromEntries(Object.entries(map).reverse());
        expect(hashTextMap(reversed)).toBe(hashTextMap(map));
      }),
    );
  });

  it('does not depend on the order of list elements', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (list) => {
        expect(hashTextList(list.toReversed())).toBe(hashTextList(list));
      }),
    );
  });

  it('lets equal list elements cancel each other', () => {
    expect(hashTextList(['a', 'b', 'b'])).toBe(hashTextList(['a']));
  });

  it('distinguishes a key from its value', () => {
    expect(hashTextMap({ a: 'b' })).not.toBe(hashTextMap({ b: 'a' }));
  });

  it('writes integers in little-endian two’s complement of their width', () => {
    expect(hashInt32(258)).toBe(fnv1([2, 1, 0, 0]));
    expect(hashInt32(-2)).toBe(fnv1([254, 255, 255, 255]));
    expect(hashInt64(258n)).toBe(fnv1([2, 1, 0, 0, 0, 0, 0, 0]));
    expect(hashBoolean(true)).toBe(fnv1([1]));
  });

  it('skips absent fields but not empty lists and maps', () => {
    const absent = hashStructure('T', [['F', ifSet(undefined, hashTextList)]]);
    const empty = hashStructure('T', [['F', ifSet([], hashTextList)]]);
    expect(absent).toBe(hashText('T'));
    expect(empty).not.toBe(absent);
  });

  it('treats zero as absent in fields held by value, and so a struct of only such fields', () => {
    expect(unlessZero('', hashText)).toBeUndefined();
    expect(unlessZero(0, hashInt32)).toBeUndefined();
    expect(unlessZero(false, hashBoolean)).toBeUndefined();
    expect(hashStructureUnlessZero('T', [['F', undefined]])).toBeUndefined();
  });

  it('hashes durations and times as the Kubernetes types do', () => {
    expect(hashDuration(90_000_000_000n)).toBe(2583605024519583823n);
    expect(hashTime('2026-01-02T03:04:05Z')).toBe(12707841451425923406n);
    expect(hashTime('2026-01-02T05:04:05+02:00')).toBe(12707841451425923406n);
    expect(hashTime('2026-01-02T03:04:05.123456789Z')).toBe(3098035954023369669n);
    expect(hashTime('yesterday')).toBeUndefined();
  });

  it('hashes the largest user data within milliseconds', () => {
    const userData = 'x'.repeat(16_384);
    const start = performance.now();
    for (let run = 0; run < 10; run += 1) hashText(userData);
    expect((performance.now() - start) / 10).toBeLessThan(20);
  });
});
