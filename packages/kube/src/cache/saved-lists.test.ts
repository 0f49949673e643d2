import { describe, expect, it } from 'vitest';
import { kinds } from '../client/index.ts';
import { cachesOfLists, savedLists } from './saved-lists.ts';

const pod = (name: string) => ({
  metadata: { name, namespace: 'default', uid: name },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] },
});

describe('lists of a saved cluster', () => {
  it('become caches that hold the same objects', () => {
    const lists = savedLists([{ kind: kinds.pod, objects: [pod('a'), pod('b')] }]);
    expect(lists).toMatchObject([{ apiVersion: 'v1', kind: 'Pod' }]);
    const caches = cachesOfLists(structuredClone(lists), [kinds.node, kinds.pod]);
    expect(caches.of(kinds.pod).list()).toEqual([pod('a'), pod('b')]);
    expect(caches.of(kinds.node).list()).toEqual([]);
  });

  it('share equal parts after loading, as in caches of a live cluster', () => {
    const lists = savedLists([{ kind: kinds.pod, objects: [pod('a'), pod('b')] }]);
    const [first, second] = cachesOfLists(structuredClone(lists), [kinds.pod]).of(kinds.pod).list();
    expect(first?.spec).toBeDefined();
    expect(second?.spec).toBe(first?.spec);
  });

  it.each([
    ['v1', 'Secret'],
    ['v9', 'Pod'],
  ])('are refused if nobody reads their kind: %s %s', (apiVersion, kind) => {
    expect(() => cachesOfLists([{ apiVersion, kind, items: [] }], [kinds.pod])).toThrow(
      expect.objectContaining({
        code: 'unknown-kind',
        message: `no plan reads kind ${kind} (${apiVersion}); remove its list`,
      }),
    );
  });
});
