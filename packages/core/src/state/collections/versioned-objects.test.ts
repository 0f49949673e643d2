import { describe, expect, it } from 'vitest';
import type { Stored } from '../cluster-object.ts';
import { VersionedObjects } from './versioned-objects.ts';

const object = (uid: string, resourceVersion: number, name = 'a'): Stored => ({
  metadata: { name, uid, resourceVersion: String(resourceVersion) },
});
const unwritten: Stored = { metadata: { name: 'a' } };

function storeOf(...objects: readonly Stored[]): VersionedObjects<Stored> {
  const store = new VersionedObjects<Stored>();
  for (const one of objects) if (store.isNewer(one)) store.put(one);
  return store;
}

describe('a newer object', () => {
  it('has a later version than the one held', () => {
    const store = storeOf(object('1', 9));
    expect([8, 9, 10].map((version) => store.isNewer(object('1', version)))).toEqual([false, false, true]);
  });

  it('is any object when versions are unknown', () => {
    const store = storeOf(unwritten);
    expect(store.isNewer({ metadata: { name: 'a' } })).toBe(true);
    expect(store.isNewer(unwritten)).toBe(false);
  });

  it('is not one that is about to be created when the API server already has it', () => {
    expect(storeOf(object('1', 9)).isNewer(unwritten)).toBe(false);
    expect(storeOf(unwritten).isNewer(object('1', 9))).toBe(true);
  });

  it('is not one that was deleted, nor one older than the deletion', () => {
    const store = storeOf();
    store.remove(object('2', 12));
    expect([object('2', 11), object('1', 5), object('3', 13)].map((one) => store.isNewer(one))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('is recognised by versions too large for numbers', () => {
    const huge = (last: string): Stored => ({
      metadata: { name: 'a', uid: '1', resourceVersion: `900719925474099${last}` },
    });
    expect(storeOf(huge('3')).isNewer(huge('2'))).toBe(false);
  });
});

describe('deletions', () => {
  it('of an earlier object of the same name keep the current one', () => {
    const store = storeOf(object('2', 20));
    expect(store.remove(object('1', 15))).toBeUndefined();
    expect(store.get('a')).toEqual(object('2', 20));
  });

  it('remove an object whatever version they carry', () => {
    const store = storeOf(object('1', 20));
    expect(store.remove(object('1', 15))).toEqual(object('1', 20));
    expect(store.isNewer(object('1', 21))).toBe(false);
  });

  it('are kept for the latest object of the name', () => {
    const store = storeOf();
    store.remove(object('2', 20));
    store.remove(object('1', 10));
    expect(store.isNewer(object('2', 19))).toBe(false);
  });
});

describe('a complete list', () => {
  it('removes objects missing from it and adds new ones', () => {
    const store = storeOf(object('1', 1, 'gone'), object('2', 2, 'same'), object('3', 3, 'changed'));
    const { put, removed } = store.compare(
      [object('2', 2, 'same'), object('3', 4, 'changed'), object('5', 5, 'new')],
      '6',
    );
    expect(put.map(({ metadata }) => metadata.name)).toEqual(['changed', 'new']);
    expect(removed.map(({ metadata }) => metadata.name)).toEqual(['gone']);
  });

  it('keeps objects that are newer than the list', () => {
    expect(storeOf(object('1', 7)).compare([], '6').removed).toEqual([]);
    expect(storeOf(unwritten).compare([], '6').removed).toEqual([]);
  });
});

describe('the objects in no order', () => {
  it('are the same list until one of them changes', () => {
    const store = storeOf(object('1', 1, 'b'), object('2', 2, 'a'));
    const before = store.unsorted();
    expect(before).toHaveLength(2);
    expect(store.unsorted()).toBe(before);
    store.put(object('2', 3, 'a'));
    expect(store.unsorted()).toContainEqual(object('2', 3, 'a'));
    store.remove(object('1', 1, 'b'));
    expect(store.unsorted()).toEqual([object('2', 3, 'a')]);
    expect(before).toHaveLength(2);
  });
});
