import { durationMs } from '@karpenter/core/values';
import { describe, expect, it } from 'vitest';
import type { StoreChange } from './change.ts';
import { Entry } from './entry.ts';
import { History, type HistoryLimits } from './history.ts';

function change(revision: number, length: number): StoreChange {
  const object = { metadata: { namespace: 'default', name: 'a' }, data: { text: 'x'.repeat(length) } };
  const entry = new Entry('configmaps', object, revision);
  return { type: 'MODIFIED', revision, entry, previous: undefined };
}

function emptyHistory(limits: Partial<HistoryLimits>, now: () => number = () => 0): History {
  const unlimited = { changes: 1_000, bytes: 1_000_000, age: durationMs(1_000), leastChanges: 1 };
  return new History({ limits: { ...unlimited, ...limits }, revision: 0, now });
}

function filled(limits: Partial<HistoryLimits>, lengths: readonly number[]): History {
  const history = emptyHistory(limits);
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

  it('drops changes that are older than its age, many at once', () => {
    let now = 0;
    const history = emptyHistory({ age: durationMs(1_000), leastChanges: 2 }, () => now);
    for (let revision = 1; revision <= 30; revision += 1, now += 100) history.add(change(revision, 10));
    const kept = history.since(0).map(({ revision }) => revision);
    expect(kept.length).toBeGreaterThanOrEqual(10);
    expect(kept.length).toBeLessThanOrEqual(13);
    expect(kept.at(-1)).toBe(30);
    expect(history.oldest).toBe((kept[0] ?? 0) - 1);
  });

  it('keeps the last changes of a quiet cluster, however old they are', () => {
    let now = 0;
    const history = emptyHistory({ leastChanges: 5 }, () => now);
    for (let revision = 1; revision <= 20; revision += 1, now += 1_000_000) history.add(change(revision, 10));
    const { length } = history.since(0);
    expect(length).toBeGreaterThanOrEqual(5);
    expect(length).toBeLessThanOrEqual(10);
  });

  it('keeps changes when the clock is set back', () => {
    let now = 1_000_000;
    const history = emptyHistory({ leastChanges: 1 }, () => now);
    history.add(change(1, 10));
    now = 0;
    history.add(change(2, 10));
    expect(history.since(0).map(({ revision }) => revision)).toEqual([1, 2]);
  });

  it('forgets the times of changes that were rolled back', () => {
    let now = 0;
    const history = emptyHistory({ leastChanges: 1 }, () => now);
    for (const revision of [1, 2, 3]) history.add(change(revision, 10));
    history.forgetAfter(1);
    now = 2_000;
    history.add(change(2, 10));
    history.add(change(3, 10));
    expect(history.since(0).map(({ revision }) => revision)).toEqual([2, 3]);
  });
});
