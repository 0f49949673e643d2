import type { Json, JsonObject, JsonSchema } from '@karpenter/core/schema';
import { describe, expect, it } from 'vitest';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

const text: JsonSchema = { type: 'string' };
const container: JsonSchema = {
  type: 'object',
  properties: {
    name: text,
    image: text,
    args: { type: 'array', items: text },
    env: mergedBy('name', { type: 'object', properties: { name: text, value: text } }),
  },
};
const schema: JsonSchema = {
  type: 'object',
  properties: {
    containers: mergedBy('name', { allOf: [container], default: {} }),
    finalizers: { type: 'array', items: text, 'x-kubernetes-patch-strategy': 'merge' },
    taints: { type: 'array', items: { type: 'object' } },
    strategy: { type: 'object', 'x-kubernetes-patch-strategy': 'retainKeys', properties: { type: text } },
    selector: { type: 'object', 'x-kubernetes-patch-strategy': 'replace' },
  },
};

function mergedBy(key: string, items: JsonSchema): JsonSchema {
  return {
    type: 'array',
    items,
    'x-kubernetes-patch-merge-key': key,
    'x-kubernetes-patch-strategy': 'merge',
  };
}

function patched(document: JsonObject, patch: Json): JsonObject {
  return applyStrategicMergePatch(document, patch, schema);
}

const web = { name: 'web', image: 'nginx:1', args: ['a'], env: [{ name: 'A', value: '1' }] };
const side = { name: 'side', image: 'busybox' };

describe('a strategic merge patch', () => {
  it('merges items that have the same merge key, deeply', () => {
    const patch = { containers: [{ name: 'web', image: 'nginx:2', env: [{ name: 'B', value: '2' }] }] };
    const env = [
      { name: 'B', value: '2' },
      { name: 'A', value: '1' },
    ];
    expect(patched({ containers: [web, side] }, patch)).toEqual({
      containers: [{ ...web, image: 'nginx:2', env }, side],
    });
  });

  it('inserts new items in the order of the patch', () => {
    const added = { name: 'new', image: 'x' };
    expect(patched({ containers: [web] }, { containers: [added] })).toEqual({ containers: [added, web] });
  });

  it('replaces lists without a strategy', () => {
    expect(patched({ taints: [{ key: 'a' }, { key: 'b' }] }, { taints: [{ key: 'c' }] })).toEqual({
      taints: [{ key: 'c' }],
    });
  });

  it('adds items to and removes items from lists of scalars', () => {
    const added = patched({ finalizers: ['a', 'b'] }, { finalizers: ['c', 'a'] });
    expect(added).toEqual({ finalizers: ['c', 'a', 'b'] });
    expect(patched(added, { '$deleteFromPrimitiveList/finalizers': ['a'] })).toEqual({
      finalizers: ['c', 'b'],
    });
  });

  it('deletes an item by its key', () => {
    const patch = { containers: [{ name: 'web', $patch: 'delete' }] };
    expect(patched({ containers: [web, side] }, patch)).toEqual({ containers: [side] });
  });

  it('replaces a list or a map with $patch: replace', () => {
    const document = { containers: [web, side], strategy: { type: 'a', more: 1 } };
    const patch: Json = {
      containers: [{ $patch: 'replace' }, { name: 'only' }],
      strategy: { $patch: 'replace', type: 'b' },
    };
    expect(patched(document, patch)).toEqual({ containers: [{ name: 'only' }], strategy: { type: 'b' } });
  });

  it('empties a map with $patch: delete', () => {
    expect(patched({ strategy: { type: 'a' } }, { strategy: { $patch: 'delete' } })).toEqual({
      strategy: {},
    });
  });

  it('sorts items by $setElementOrder and keeps others near their position', () => {
    const names = (list: Json | undefined) =>
      (list as readonly { name: string }[]).map(({ name }) => name).join();
    const containers = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
    const order = [{ name: 'd' }, { name: 'b' }];
    const ordered = patched({ containers }, { '$setElementOrder/containers': order });
    expect(names(ordered['containers'])).toBe('a,c,d,b');
    const changed = patched(
      { containers },
      { '$setElementOrder/containers': [{ name: 'b' }, { name: 'e' }], containers: [{ name: 'e' }] },
    );
    expect(names(changed['containers'])).toBe('a,b,e,c,d');
  });

  it('rejects an order that contradicts the patch', () => {
    const patch = {
      '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }],
      containers: [{ name: 'b' }, { name: 'a' }],
    };
    expect(() => patched({ containers: [] }, patch)).toThrow(/order in patch list/);
  });

  it('keeps only the members in $retainKeys', () => {
    const patch = { strategy: { $retainKeys: ['type'], type: 'Recreate' } };
    expect(patched({ strategy: { type: 'Rolling', rolling: { max: 1 } } }, patch)).toEqual({
      strategy: { type: 'Recreate' },
    });
  });

  it('rejects $retainKeys without a member that the patch sets', () => {
    const patch = { strategy: { $retainKeys: ['type'], other: 1 } };
    expect(() => patched({ strategy: {} }, patch)).toThrow('invalid patch format of retainKeys');
  });

  it('replaces maps with the strategy replace', () => {
    expect(patched({ selector: { a: 1 } }, { selector: { b: 2 } })).toEqual({ selector: { b: 2 } });
  });

  it('adds a new value without nulls and directives', () => {
    const patch: Json = {
      containers: [
        { name: 'x', image: null },
        { name: 'y', $patch: 'delete' },
      ],
    };
    expect(patched({}, patch)).toEqual({ containers: [{ name: 'x' }] });
  });

  it.each<[string, Json, number, string]>([
    [
      'an unknown directive',
      { strategy: { $patch: 'twist' } },
      422,
      'unknown patch type: twist in map: map[$patch:twist]',
    ],
    [
      'an item without its key',
      { containers: [{ image: 'x' }] },
      422,
      'map: map[image:x] does not contain declared merge key: name',
    ],
    [
      'a list of lists',
      { containers: [[1]] },
      422,
      'the server rejected our request due to an error in our request',
    ],
    [
      'a list as the patch',
      [],
      400,
      'json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
  ])('is rejected: %s', (_, patch, code, message) => {
    expect(() => patched({ containers: [web], strategy: { type: 'a' } }, patch)).toThrow(
      expect.objectContaining({ code, message }),
    );
  });
});
