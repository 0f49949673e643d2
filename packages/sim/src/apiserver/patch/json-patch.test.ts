import { equalJson, type Json, type JsonObject } from '@karpenter/core/schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyJsonPatch, jsonPatchInSteps } from './json-patch.ts';

const document: JsonObject = { a: { b: [1, 2, 3], 'x/y~z': 'odd' }, c: null };

function refusal(operations: Json): unknown {
  try {
    applyJsonPatch(document, operations);
  } catch (error) {
    return error;
  }
  throw new Error('the patch was not refused');
}

describe('a JSON patch', () => {
  it.each<[string, Json, Json]>([
    ['adds a member', [{ op: 'add', path: '/d', value: 1 }], { ...document, d: 1 }],
    ['adds null when no value is given', [{ op: 'add', path: '/d' }], { ...document, d: null }],
    ['inserts into a list', [{ op: 'add', path: '/a/b/1', value: 9 }], withList([1, 9, 2, 3])],
    ['appends to a list', [{ op: 'add', path: '/a/b/-', value: 9 }], withList([1, 2, 3, 9])],
    ['counts negative indices from the end', [{ op: 'remove', path: '/a/b/-1' }], withList([1, 2])],
    ['replaces an item', [{ op: 'replace', path: '/a/b/0', value: 9 }], withList([9, 2, 3])],
    [
      'replaces a member that does not exist yet',
      [{ op: 'replace', path: '/d', value: 1 }],
      { ...document, d: 1 },
    ],
    ['moves between places', [{ op: 'move', from: '/a/b/0', path: '/a/b/-' }], withList([2, 3, 1])],
    ['copies', [{ op: 'copy', from: '/a/b/0', path: '/c' }], { ...document, c: 1 }],
    ['takes a missing member for null in a test', [{ op: 'test', path: '/nowhere', value: null }], document],
    ['replaces the whole document', [{ op: 'replace', path: '', value: { n: 1 } }], { n: 1 }],
  ])('%s', (_, operations, expected) => {
    expect(applyJsonPatch(document, operations)).toEqual(expected);
  });

  it('finds members whose names contain a slash or a tilde', () => {
    const patch = [{ op: 'test', path: '/a/x~1y~0z', value: 'odd' }];
    expect(applyJsonPatch(document, patch)).toBe(document);
  });

  it('treats __proto__ like any other name', () => {
    const patched = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { evil: true } }]);
    expect(Object.hasOwn(patched as object, '__proto__')).toBe(true);
    expect((patched as { readonly evil?: boolean }).evil).toBeUndefined();
  });

  it('shares unchanged parts with the document', () => {
    const patched = applyJsonPatch(document, [{ op: 'add', path: '/d', value: 1 }]) as JsonObject;
    expect(patched['a']).toBe(document['a']);
  });

  it.each<[string, Json]>([
    ['a test that fails', [{ op: 'test', path: '/a/b/0', value: 2 }]],
    ['a member that is not there', [{ op: 'remove', path: '/d' }]],
    ['a place below a scalar', [{ op: 'add', path: '/a/b/0/x', value: 1 }]],
    ['an index beyond the list', [{ op: 'add', path: '/a/b/9', value: 1 }]],
    ['an index that is no number', [{ op: 'add', path: '/a/b/x', value: 1 }]],
    ['an unknown operation', [{ op: 'leap', path: '/a' }]],
    ['a missing path', [{ op: 'remove' }]],
  ])('is rejected as not applicable: %s', (_, operations) => {
    expect(refusal(operations)).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
    });
  });

  it.each<[string, Json, string]>([
    ['an object', {}, 'object into Go value of type []handlers.jsonPatchOp'],
    ['a list of numbers', [1], 'number into Go value of type handlers.jsonPatchOp'],
    [
      'a path that is no text',
      [{ op: 'add', path: 1 }],
      'number into Go struct field jsonPatchOp.path of type string',
    ],
  ])('is rejected as malformed: %s', (_, operations, text) => {
    const message = `error decoding patch: json: cannot unmarshal ${text}`;
    expect(refusal(operations)).toMatchObject({ code: 400, reason: 'BadRequest', message });
  });

  it('may have at most ten thousand operations', () => {
    const operations = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/c', value: null }));
    expect(refusal(operations)).toMatchObject({ code: 413, reason: 'RequestEntityTooLarge' });
  });

  it('may copy at most three mebibytes in all', () => {
    const doubling = Array.from({ length: 30 }, (_, index) => ({
      op: 'copy',
      from: '/a',
      path: `/a/copy${index}`,
    }));
    expect(refusal(doubling)).toMatchObject({ code: 422, reason: 'Invalid' });
    const text = 'x'.repeat(1024 * 1024 - 2);
    const copies = (count: number) => [
      { op: 'add', path: '/text', value: text },
      ...Array.from({ length: count }, (_, index) => ({ op: 'copy', from: '/text', path: `/copy${index}` })),
    ];
    expect(Object.keys(applyJsonPatch(document, copies(3)) as JsonObject)).toHaveLength(6);
    expect(refusal(copies(4))).toMatchObject({ code: 422 });
  });

  it('inserts ten thousand items at the front of a list of a million', () => {
    const long = Array.from({ length: 1_000_000 }, (_, index) => index);
    const operations = Array.from({ length: 10_000 }, (_, index) => ({
      op: 'add',
      path: '/list/0',
      value: -1 - index,
    }));
    const { list } = applyJsonPatch({ list: long }, operations) as { readonly list: readonly number[] };
    expect(list).toHaveLength(1_010_000);
    expect(list.every((item, index) => item === index - 10_000)).toBe(true);
  });

  it('adds eight thousand members to an object of a hundred thousand', () => {
    const data = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, '']));
    const operations = Array.from({ length: 8_000 }, (_, index) => ({
      op: 'add',
      path: `/data/n${index}`,
      value: '',
    }));
    const patched = applyJsonPatch({ data }, operations) as { readonly data: JsonObject };
    expect(Object.keys(patched.data)).toHaveLength(108_000);
  });

  it('may not nest the document deeper than a body may be', () => {
    const deep = (levels: number): Json =>
      Array.from({ length: levels }).reduce<Json>((value) => ({ x: value }), {});
    const path = `/d${'/x'.repeat(900)}`;
    const operations = [
      { op: 'add', path: '/d', value: deep(900) },
      { op: 'add', path, value: deep(900) },
    ];
    expect(applyJsonPatch(document, operations.slice(0, 1))).toMatchObject({ d: { x: {} } });
    expect(refusal(operations)).toMatchObject({ code: 422 });
    const nested = Array.from({ length: 300 }, (): readonly Json[] => [
      { op: 'add', path: '/e', value: deep(900) },
      { op: 'move', from: '/d', path: `/e${'/x'.repeat(900)}` },
      { op: 'move', from: '/e', path: '/d' },
    ]).flat();
    expect(refusal([...operations.slice(0, 1), ...nested])).toMatchObject({ code: 422 });
  });

  it('agrees with a patch that copies the document for every operation', () => {
    const index = fc.integer({ min: 0, max: 6000 });
    const edits = fc.array(fc.tuple(fc.constantFrom('add', 'remove', 'replace'), index), { maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9000 }), edits, (length, chosen) => {
        const list = Array.from({ length }, (_, position) => position);
        const expected = [...list];
        const operations = chosen.flatMap(([op, at], step) => {
          if (at >= expected.length) return [];
          expected.splice(at, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [-step]));
          return [{ op, path: `/list/${at}`, value: -step }];
        });
        expect(applyJsonPatch({ list }, operations)).toEqual({ list: expected });
      }),
      { numRuns: 50 },
    );
  });

  it('is undone by its inverse', () => {
    const name = fc.stringMatching(/^[a-c/~]{1,2}$/);
    const value = fc.oneof(
      fc.integer(),
      fc.constant(null),
      fc.array(fc.integer()),
      fc.dictionary(name, fc.boolean()),
    );
    fc.assert(
      fc.property(fc.dictionary(name, value), name, value, (before, key, added) => {
        const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        const inverse = Object.hasOwn(before, key)
          ? [{ op: 'replace', path, value: before[key] ?? null }]
          : [{ op: 'remove', path }];
        const after = applyJsonPatch(before, [{ op: 'add', path, value: added }]) as JsonObject;
        expect(after[key]).toEqual(added);
        return equalJson(applyJsonPatch(after, inverse), before);
      }),
    );
  });

  it('ends a step at least every hundred operations', () => {
    const adds = Array.from({ length: 1_000 }, (_, index) => ({ op: 'add', path: `/n${index}`, value: 1 }));
    expect([...jsonPatchInSteps(document, adds)].length).toBeGreaterThanOrEqual(10);
  });

  it('ends a step after each operation that may read the whole document', () => {
    const tests = Array.from({ length: 50 }, () => ({ op: 'test', path: '/c', value: null }));
    expect([...jsonPatchInSteps(document, tests)].length).toBeGreaterThanOrEqual(50);
  });
});

function withList(list: readonly number[]): Json {
  return { ...document, a: { b: list, 'x/y~z': 'odd' } };
}
