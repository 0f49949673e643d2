import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharedParts } from './shared-parts.ts';

const pod = (name: string, image = 'app:1') => ({
  metadata: { name, labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image }], tolerations: [{ operator: 'Exists' }] },
});

const json = fc.jsonValue({ maxDepth: 4 });

describe('sharedParts', () => {
  it('shares equal parts', () => {
    const first = sharedParts(pod('a'), undefined);
    const second = sharedParts(pod('b'), first);
    expect(second).toEqual(pod('b'));
    expect(second.spec).toBe(first.spec);
    expect(second.metadata.labels).toBe(first.metadata.labels);
  });

  it('shares the largest equal parts when siblings differ', () => {
    const first = sharedParts(pod('a'), undefined);
    const second = sharedParts(pod('a', 'app:2'), first);
    expect(second).toEqual(pod('a', 'app:2'));
    expect(second.metadata).toBe(first.metadata);
    expect(second.spec.tolerations).toBe(first.spec.tolerations);
  });

  it('keeps additions, removals and changes of type', () => {
    const kin = sharedParts({ list: [1, 2], map: { a: 1 }, none: null }, undefined);
    for (const other of [
      { list: [1], map: { a: 1, b: 2 }, none: null },
      { list: [1, 2, 3], map: {}, none: 0 },
      { list: { 0: 1, 1: 2 }, map: [1] },
      { list: [1, 2], map: { b: 1 }, none: {} },
    ]) {
      expect(sharedParts(structuredClone<unknown>(other), kin)).toEqual(other);
    }
  });

  it('never takes a part from the object prototype', () => {
    const value = JSON.parse('{"__proto__":{},"constructor":{},"toString":"a"}');
    expect(Object.entries(sharedParts(value, sharedParts({}, undefined)))).toEqual([
      ['__proto__', {}],
      ['constructor', {}],
      ['toString', 'a'],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('keeps every value equal and deep-freezes it', () => {
    fc.assert(
      fc.property(json, json, (value, kin) => {
        const text = JSON.stringify(value);
        const kept = sharedParts(value, sharedParts(kin, undefined));
        expect(JSON.stringify(kept)).toBe(text);
        expect(isFrozenDeeply(kept)).toBe(true);
      }),
    );
  });

  it('returns the similar value itself when all is equal', () => {
    fc.assert(
      fc.property(json, (value) => {
        const kin = sharedParts(structuredClone(value), undefined);
        expect(Object.is(sharedParts(structuredClone(value), kin), kin)).toBe(true);
      }),
    );
  });
});

function isFrozenDeeply(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozenDeeply);
}
