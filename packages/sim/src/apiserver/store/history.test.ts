import { describe, expect, it } from 'vitest';
import type { StoreChange } from './change.ts';
import { Entry } from './entry.ts';
import { History } from './history.ts';

function change(revision: number, length: number): StoreChange {
  const object = { metadata: { namespace: 'default', name: 'a' }, data: { text: 'x'.repeat(length) } };
  const entry = new Entry('configmaps', object, revision);
  return { type: 'MODIFIED', revision, entry, previous: undefined };
}

function filled(
  limits: { readonly changes: number; readonly bytes: number },
  lengths: readonly number[],
): History {
  const history = new History(limits, 0);
  for (const [index, length] of lengths.entries()) history.add(change(index + 1, length));
  return history;
}

const bytesOf = (history: History) => history.since(0).reduce((sum, { entry }) => sum + entry.bytes, 0);

describe('the history of changes', () => {
  it('holds no more bytes than its limit, however few changes they are', () => {
    const history = filled(
      { changes: 1_000, bytes: 1_000_000 },
      Array.from({ length: 500 }, () => 100_000),
    );
    expect(bytesOf(history)).toBeLessThanOrEqual(1_000_000);
    expect(history.since(0).at(-1)?.revision).toBe(500);
    expect(history.oldest).toBe((history.since(0)[0]?.revision ?? 0) - 1);
  });

  it('drops a change that alone exceeds the limit', () => {
    const history = filled({ changes: 10, bytes: 1_000 }, [2_000]);
    expect(history.since(0)).toEqual([]);
    expect(history.oldest).toBe(1);
  });

  it('keeps small changes up to twice their number before it drops some', () => {
    const history = filled(
      { changes: 10, bytes: 1_000_000 },
      Array.from({ length: 20 }, () => 10),
    );
    expect(history.since(0).map(({ revision }) => revision)).toEqual(
      Array.from({ length: 10 }, (_, index) => index + 11),
    );
  });

  it('forgets the bytes of changes that were rolled back', () => {
    const history = filled({ changes: 100, bytes: 10_000 }, [4_000, 4_000]);
    history.forgetAfter(1);
    history.add(change(2, 4_000));
    expect(history.since(0).map(({ revision }) => revision)).toEqual([1, 2]);
  });
});
