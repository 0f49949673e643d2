import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@karpenter/core/schema';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WatchHub } from '../watch/watch-hub.ts';
import { FileJournal, memoryJournal, Store, type StoreChange } from './index.ts';

const configMap = (name: string): JsonObject => ({ metadata: { name, namespace: 'default' } });

async function fileStore(onListenerError: (error: unknown) => void): Promise<Store> {
  const directory = await mkdtemp(join(tmpdir(), 'karpenter-store-'));
  const journal = await FileJournal.open({ directory, entries: () => [] });
  const store = new Store({ journal, onListenerError });
  onTestFinished(async () => {
    await store.close();
    await rm(directory, { recursive: true });
  });
  return store;
}

describe('a listener that throws', () => {
  const failure = new Error('read is not a function');
  const broken = () => {
    throw failure;
  };

  it.each([
    [
      'in memory',
      async (report: (error: unknown) => void) =>
        new Store({ journal: memoryJournal, onListenerError: report }),
    ],
    ['on disk', fileStore],
  ])('is reported and stops neither writes nor other listeners (%s)', async (_, open) => {
    const errors: unknown[] = [];
    const store = await open((error) => errors.push(error));
    const heard: string[] = [];
    store.subscribe(broken);
    store.subscribe(({ entry }) => heard.push(entry.name));
    for (const name of ['a', 'b', 'c']) {
      store.put('configmaps', configMap(name));
      await store.durable();
    }
    expect(heard).toEqual(['a', 'b', 'c']);
    expect(errors).toEqual([failure, failure, failure]);
    expect(store.durableRevision).toBe(store.revision);
  });

  it('ends only its own watch', () => {
    const errors: unknown[] = [];
    const store = new Store({ journal: memoryJournal });
    const hub = new WatchHub(store, (error) => errors.push(error));
    hub.start();
    const [heard, ends]: [string[], unknown[]] = [[], []];
    const sink = (accept: (change: StoreChange) => void) => ({
      accept,
      fail: (error: unknown) => ends.push(error),
    });
    hub.add('configmaps', sink(broken));
    hub.add(
      'configmaps',
      sink(({ entry }) => heard.push(entry.name)),
    );
    for (const name of ['a', 'b']) store.put('configmaps', configMap(name));
    expect(heard).toEqual(['a', 'b']);
    expect({ ends, errors }).toEqual({ ends: [failure], errors: [failure] });
    expect(hub.all()).toHaveLength(1);
  });
});
