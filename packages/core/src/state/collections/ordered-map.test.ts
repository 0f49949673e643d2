import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OrderedMap } from './ordered-map.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const step = fc.oneof(
  fc.record({ type: fc.constant('set'), key }),
  fc.record({ type: fc.constant('delete'), key }),
  fc.record({ type: fc.constant('read'), key }),
);

it('returns each entry once, sorted by key, whatever was added and deleted between reads', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
      const map = new OrderedMap<string>();
      const plain = new Map<string, string>();
      for (const [index, { type, key }] of steps.entries()) {
        if (type === 'set') map.set(key, `${key}${index}`);
        if (type === 'set') plain.set(key, `${key}${index}`);
        if (type === 'delete') expect(map.delete(key)).toBe(plain.delete(key));
        if (type === 'read') expect(map.values()).toEqual([...plain.values()].sort());
      }
      expect(map.values()).toEqual([...plain.values()].sort());
      expect([...map.unordered()].sort()).toEqual(map.values());
    }),
  );
});

it('returns the same array until something changes, and never changes an old one', () => {
  const map = new OrderedMap<number>();
  map.set('b', 2);
  const before = map.values();
  expect(map.values()).toBe(before);
  map.set('a', 1);
  expect([before, map.values()]).toEqual([[2], [1, 2]]);
});
