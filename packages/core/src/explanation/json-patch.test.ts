import { describe, expect, it } from 'vitest';
import { patched, pointer } from './json-patch.ts';

const object = { spec: { list: ['a', 'b'], map: { 'example.com/key': '1', 'a~b': '2' } } };

describe('a patch', () => {
  it('adds to the end of a list and before an item', () => {
    const added = patched(object, [
      { op: 'add', path: '/spec/list/-', value: 'c' },
      { op: 'add', path: '/spec/list/0', value: 'z' },
    ]);
    expect(added.spec.list).toEqual(['z', 'a', 'b', 'c']);
  });

  it('removes and replaces members and items', () => {
    const changed = patched(object, [
      { op: 'remove', path: '/spec/list/0' },
      { op: 'replace', path: pointer('spec', 'map', 'example.com/key'), value: '9' },
      { op: 'remove', path: pointer('spec', 'map', 'a~b') },
    ]);
    expect(changed).toEqual({ spec: { list: ['b'], map: { 'example.com/key': '9' } } });
  });

  it('leaves the object as it was', () => {
    patched(object, [{ op: 'remove', path: '/spec/list' }]);
    expect(object.spec.list).toEqual(['a', 'b']);
  });

  it('fails on a path that leads nowhere', () => {
    expect(() => patched(object, [{ op: 'remove', path: '/spec/absent/0' }])).toThrow('/spec/absent/0');
  });
});
