import { describe, expect, it } from 'vitest';
import type { Stored } from './cluster-object.ts';
import { VersionedObjects } from './versioned-objects.ts';

const object = (uid: string, resourceVersion: number, name = 'a'): Stored => ({
  metadata: { name, uid, resourceVersion: String(resourceVersion) },
});
const unwritten: Stored = { metadata: { name: 'a' } };

function storeOf(...objects: readonly Stored[]): VersionedObjects<Stored> {
  const store = new VersionedObjects<Stored>();
  for (const one of objects) if (store.isNews(one)) store.put(one);
  return store;
}

describe('what is news', () => {
  it('is a later moment of an object, not the same or an earlier one', () => {
    const store = storeOf(object('1', 9));
    expect([8, 9, 10].map((version) => store.isNews(object('1', version)))).toEqual([false, false, true]);
  });

  it('is anything where versions are not known', () => {
    const store = storeOf(unwritten);
    expect(store.isNews({ metadata: { name: 'a' } })).toBe(true);
    expect(store.isNews(unwritten)).toBe(false);
  });

  it('is not what is yet to be written of an object that the API server has', () => {
    expect(storeOf(object('1', 9)).isNews(unwritten)).toBe(false);
    expect(storeOf(unwritten).isNews(object('1', 9))).toBe(true);
  });

  it('is not an object that was deleted, nor one from before it', () => {
    const store = storeOf();
    store.remove(object('2', 12));
    expect([object('2', 11), object('1', 5), object('3', 13)].map((one) => store.isNews(one))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('is told of versions that are too large for numbers', () => {
    const huge = (last: string): Stored => ({
      metadata: { name: 'a', uid: '1', resourceVersion: `900719925474099${last}` },
    });
    expect(storeOf(huge('3')).isNews(huge('2'))).toBe(false);
  });
});

describe('deletions', () => {
  it('of an earlier object of the name leave the present one alone', () => {
    const store = storeOf(object('2', 20));
    expect(store.remove(object('1', 15))).toBeUndefined();
    expect(store.get('a')).toEqual(object('2', 20));
  });

  it('end an object whatever version they saw last', () => {
    const store = storeOf(object('1', 20));
    expect(store.remove(object('1', 15))).toEqual(object('1', 20));
    expect(store.isNews(object('1', 21))).toBe(false);
  });

  it('remember the latest object of a name', () => {
    const store = storeOf();
    store.remove(object('2', 20));
    store.remove(object('1', 10));
    expect(store.isNews(object('2', 19))).toBe(false);
  });
});

describe('a complete list', () => {
  it('removes what it lacks and puts what is new in it', () => {
    const store = storeOf(object('1', 1, 'gone'), object('2', 2, 'same'), object('3', 3, 'changed'));
    const { put, removed } = store.compare(
      [object('2', 2, 'same'), object('3', 4, 'changed'), object('5', 5, 'new')],
      '6',
    );
    expect(put.map(({ metadata }) => metadata.name)).toEqual(['changed', 'new']);
    expect(removed.map(({ metadata }) => metadata.name)).toEqual(['gone']);
  });

  it('says nothing of what came after it', () => {
    expect(storeOf(object('1', 7)).compare([], '6').removed).toEqual([]);
    expect(storeOf(unwritten).compare([], '6').removed).toEqual([]);
  });
});
