import type { Json } from '@karpenter/core/schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  difference,
  emptySet,
  type FieldSet,
  fieldSetOf,
  hasPath,
  intersection,
  isEmptySet,
  pathsOf,
  recursiveDifference,
  union,
} from './field-set.ts';
import { parseFieldsV1 } from './fields-v1.ts';
import { compareElements, inElementOrder, pathText } from './path-element.ts';

const element = fc.constantFrom('f:a', 'f:b', 'f:name', 'k:{"name":"a"}', 'k:{"port":80}', 'v:"x"', 'v:1');
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const set = fc.array(path, { maxLength: 8 }).map((paths) => fieldSetOf(...paths));

/** The same set in the plainest form, to compare with. */
function texts(fields: FieldSet): Set<string> {
  return new Set([...pathsOf(fields)].map((steps) => steps.join('\n')));
}

function holds(check: (a: Set<string>, b: Set<string>, x: FieldSet, y: FieldSet) => void): void {
  fc.assert(
    fc.property(set, set, (x, y) => {
      check(texts(x), texts(y), x, y);
    }),
  );
}

describe('FieldSet', () => {
  it('contains the paths it was built from', () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 8 }), (paths) => {
        const fields = fieldSetOf(...paths);
        expect(texts(fields)).toEqual(new Set(paths.map((steps) => steps.join('\n'))));
        for (const steps of paths) expect(hasPath(fields, steps)).toBe(true);
      }),
    );
  });

  it('has a union like any set', () => {
    holds((a, b, x, y) => expect(texts(union(x, y))).toEqual(new Set([...a, ...b])));
  });

  it('has a difference like any set', () => {
    holds((a, b, x, y) =>
      expect(texts(difference(x, y))).toEqual(new Set([...a].filter((one) => !b.has(one)))),
    );
  });

  it('has an intersection like any set', () => {
    holds((a, b, x, y) =>
      expect(texts(intersection(x, y))).toEqual(new Set([...a].filter((one) => b.has(one)))),
    );
  });

  it('loses everything below members of the other in a recursive difference', () => {
    holds((a, b, x, y) => {
      const covered = (one: string) => [...b].some((other) => one === other || one.startsWith(`${other}\n`));
      expect(texts(recursiveDifference(x, y))).toEqual(new Set([...a].filter((one) => !covered(one))));
    });
  });

  it('is empty after subtracting itself', () => {
    fc.assert(fc.property(set, (x) => isEmptySet(difference(x, x)) && isEmptySet(intersection(x, emptySet))));
  });

  it('returns the same object when nothing changes', () => {
    holds((_, __, x, y) => {
      expect(union(x, intersection(x, y))).toBe(x);
      expect(difference(x, difference(y, x))).toBe(x);
    });
  });

  it('survives a round trip through JSON', () => {
    fc.assert(
      fc.property(set, (x) => {
        const json: Json = JSON.parse(JSON.stringify(x));
        expect(parseFieldsV1(json)).toEqual(x);
      }),
    );
  });

  it('is sorted in the order of fieldsV1 without changing', () => {
    fc.assert(
      fc.property(set, (x) => {
        const ordered = inElementOrder(x);
        expect(ordered).toEqual(x);
        expect(Object.keys(ordered)).toEqual(Object.keys(x).toSorted(compareElements));
        expect(inElementOrder(ordered)).toBe(ordered);
      }),
    );
  });
});

describe('fieldsV1 from a client', () => {
  it('is converted to canonical elements', () => {
    const json = { 'f:a': { 'k:{"port": 80, "name": "b"}': { '.': {} }, 'v:"x"': {} } };
    expect(parseFieldsV1(json)).toEqual({ 'f:a': { 'k:{"name":"b","port":80}': {}, 'v:"x"': {} } });
  });

  it('drops unknown kinds of elements', () => {
    expect(parseFieldsV1({ 'z:new': {}, 'f:a': {} })).toEqual({ 'f:a': {} });
  });

  it.each<[string, Json]>([
    ['an element without a kind', { a: {} }],
    ['a key that is not JSON', { 'k:{': {} }],
    ['a node that is not an object', { 'f:a': 1 }],
  ])('is invalid with %s', (_, json) => {
    expect(parseFieldsV1(json)).toBeUndefined();
  });
});

describe('path elements', () => {
  it('are sorted with fields first, then keys and values by value', () => {
    const sorted = [
      'v:"b"',
      'v:10',
      'v:9',
      'k:{"port":443}',
      'k:{"port":80}',
      'k:{"name":"z"}',
      'f:b',
      '.',
      'f:a',
    ];
    expect(sorted.toSorted(compareElements)).toEqual([
      ...['.', 'f:a', 'f:b', 'k:{"name":"z"}', 'k:{"port":80}', 'k:{"port":443}', 'v:9', 'v:10', 'v:"b"'],
    ]);
  });

  it('are formatted as in error messages', () => {
    const steps = ['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'f:names', 'v:"a"'];
    expect(pathText(steps)).toBe('.spec.ports[port=80,protocol="TCP"].names[="a"]');
  });
});
