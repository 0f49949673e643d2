import { isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyMergePatch } from './merge-patch.ts';

/** The pseudo code of RFC 7386, word by word. */
function naiveMerge(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const result: Record<string, Json> = isJsonObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = naiveMerge(result[name], value);
  }
  return result;
}

const json = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.integer({ min: 0, max: 3 }),
    fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 2 }),
    tie('object'),
  ),
}));

describe('a merge patch', () => {
  it('follows the examples of RFC 7386', () => {
    fc.assert(
      fc.property(json.object, json.object, (document, patch) => {
        expect(applyMergePatch(document, patch)).toEqual(naiveMerge(document, patch));
      }),
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(json.object, json.object, (document, patch) => {
        const once = applyMergePatch(document, patch);
        expect(applyMergePatch(once, patch)).toEqual(once);
      }),
    );
  });

  it('replaces lists as a whole and removes null members', () => {
    const patched = applyMergePatch(
      { a: [1, 2], b: 1, c: { d: 1, e: 2 } },
      { a: [3], b: null, c: { d: null } },
    );
    expect(patched).toEqual({ a: [3], c: { e: 2 } });
  });

  it('does not modify the document', () => {
    const document = { a: { b: 1 } };
    applyMergePatch(document, { a: { b: 2, c: 3 } });
    expect(document).toEqual({ a: { b: 1 } });
  });

  it('is rejected when it is a list', () => {
    expect(() => applyMergePatch({}, [])).toThrow(
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    );
  });
});
