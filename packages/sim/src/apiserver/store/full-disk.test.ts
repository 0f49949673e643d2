import { type DiskCall, SimulatedDisk } from '@karpenter/testkit/disk';
import { describe, expect, it } from 'vitest';
import { FileJournal, Store, type StoreChange } from './index.ts';

const directory = '/data';

async function openStore(disk: SimulatedDisk, bytesPerLog?: number): Promise<Store> {
  let store: Store | undefined;
  const journal = await FileJournal.open({
    directory,
    files: disk,
    entries: () => store?.durableEntries() ?? [],
    ...(bytesPerLog === undefined ? {} : { bytesPerLog }),
  });
  store = new Store({ journal });
  return store;
}

const configMap = (name: string, value = '') => ({
  metadata: { namespace: 'default', name },
  data: { value },
});

async function write(store: Store, name: string, value = ''): Promise<void> {
  store.put('configmaps', configMap(name, value));
  await store.durable();
}

const names = (store: Store): readonly string[] => store.list('configmaps').map(({ name }) => name);

async function namesAfterRestart(disk: SimulatedDisk): Promise<readonly string[]> {
  return names(await openStore(disk.afterKill()));
}

function heard(store: Store): StoreChange[] {
  const changes: StoreChange[] = [];
  store.subscribe((change) => changes.push(change));
  return changes;
}

describe('a store whose disk is full', () => {
  it('rejects a write with the reason and rolls it back, so that nobody sees it', async () => {
    const disk = new SimulatedDisk();
    const store = await openStore(disk);
    await write(store, 'before');
    const { revision } = store;
    const changes = heard(store);
    disk.room = 20;
    await expect(write(store, 'refused')).rejects.toMatchObject({
      code: 500,
      reason: 'InternalError',
      message:
        'cannot save changes in the data directory /data: the disk is full; free some space, then writes succeed again without a restart',
    });
    expect(names(store)).toEqual(['before']);
    expect(store.revision).toBe(revision);
    expect(changes).toEqual([]);
    expect(store.changesSince(0).map(({ entry }) => entry.name)).toEqual(['before']);
    expect(await namesAfterRestart(disk)).toEqual(['before']);
  });

  it('rejects writes after the failed one, and restores replaced and removed objects', async () => {
    const disk = new SimulatedDisk();
    const store = await openStore(disk);
    await write(store, 'replaced', 'old');
    await write(store, 'removed', 'old');
    disk.room = 0;
    const results = [
      write(store, 'added'),
      write(store, 'replaced', 'new'),
      write(store, 'replaced', 'newer'),
    ];
    const [removed] = store.list('configmaps').filter(({ name }) => name === 'removed');
    if (removed !== undefined) store.remove(removed);
    results.push(store.durable(), write(store, 'removed', 'anew'));
    const outcomes = await Promise.allSettled(results);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    expect(store.list('configmaps').map(({ name, object }) => [name, object['data']])).toEqual([
      ['removed', { value: 'old' }],
      ['replaced', { value: 'old' }],
    ]);
    expect(store.listAt('configmaps', store.revision)).toEqual(store.list('configmaps'));
  });

  it('accepts writes again when there is room, without remains of failed ones', async () => {
    const disk = new SimulatedDisk();
    const store = await openStore(disk);
    await write(store, 'before');
    disk.room = 50;
    await expect(write(store, 'refused')).rejects.toThrow('the disk is full');
    disk.room = 10_000;
    await write(store, 'after');
    expect(names(store)).toEqual(['after', 'before']);
    expect(await namesAfterRestart(disk)).toEqual(['after', 'before']);
  });

  it('truncates what a failed write left before the next write when truncating failed at first', async () => {
    const disk = new SimulatedDisk();
    const store = await openStore(disk);
    await write(store, 'before');
    disk.room = 50;
    disk.fault = ({ name }) => (name === 'truncate' ? 'EIO' : undefined);
    await expect(write(store, 'a-very-long-name-that-is-refused')).rejects.toThrow('the disk is full');
    disk.room = 10_000;
    await expect(write(store, 'refused-too')).rejects.toThrow('EIO');
    disk.fault = () => undefined;
    await write(store, 'after');
    expect(await namesAfterRestart(disk)).toEqual(['after', 'before']);
  });

  it('reports the failure until the rejected write would fit', async () => {
    const disk = new SimulatedDisk();
    const store = await openStore(disk);
    expect(await store.failure()).toBeUndefined();
    disk.room = 6_000;
    await expect(write(store, 'large', 'x'.repeat(10_000))).rejects.toThrow('the disk is full');
    await write(store, 'small');
    expect((await store.failure())?.message).toContain('the disk is full');
    disk.room = 20_000;
    expect(await store.failure()).toBeUndefined();
    expect(await namesAfterRestart(disk)).toEqual(['small']);
  });

  it('notifies failure listeners when writes succeed again', async () => {
    const disk = new SimulatedDisk();
    const store = await openStore(disk);
    const events: string[] = [];
    store.subscribeToFailures({
      rolledBack: (undone) => events.push(`undone ${undone.map(({ entry }) => entry.name)}`),
      resumed: () => events.push('resumed'),
    });
    disk.room = 0;
    await expect(write(store, 'refused')).rejects.toThrow('the disk is full');
    disk.room = 10_000;
    await write(store, 'after');
    await write(store, 'later');
    expect(events).toEqual(['undone refused', 'resumed']);
  });

  it('reports rejected changes on close, but not after a restart with successful writes', async () => {
    const disk = new SimulatedDisk();
    const store = await openStore(disk);
    disk.room = 0;
    await expect(write(store, 'refused')).rejects.toThrow('the disk is full');
    await expect(store.close()).rejects.toThrow(
      'the last changes could not be saved in the data directory /data (ENOSPC) and were refused; everything acknowledged is saved',
    );
    const healed = await openStore(disk.afterKill());
    await write(healed, 'after');
    await healed.close();
  });

  it('saves a pending write on close', async () => {
    const disk = new SimulatedDisk();
    const store = await openStore(disk);
    const writing = write(store, 'last');
    await store.close();
    await writing;
    expect(await namesAfterRestart(disk)).toEqual(['last']);
  });

  it('keeps its log when there is no room for a snapshot', async () => {
    const disk = new SimulatedDisk();
    const store = await openStore(disk, 2_000);
    disk.fault = ({ name, path }) =>
      name === 'write' && /snapshot|log-.*part/.test(path) ? 'ENOSPC' : undefined;
    for (let index = 0; index < 40; index += 1) await write(store, `object-${index}`);
    expect(await namesAfterRestart(disk)).toHaveLength(40);
    expect(disk.paths().filter((path) => path.includes('snapshot'))).toEqual(['/data/snapshot-0.jsonl']);
    disk.fault = () => undefined;
    for (let index = 40; index < 80; index += 1) await write(store, `object-${index}`);
    expect(disk.paths()).not.toContain('/data/snapshot-0.jsonl');
    expect(await namesAfterRestart(disk)).toHaveLength(80);
  });

  it('writes only durable changes into a snapshot', async () => {
    const disk = new SimulatedDisk();
    const store = await openStore(disk, 500);
    // Written as soon as the snapshot is due, and refused after it is made.
    store.subscribe(({ entry }) => {
      if (entry.name === 'object-3') disk.fault = failOnLog;
      if (entry.name === 'object-3') store.put('configmaps', configMap('refused'));
    });
    for (let index = 0; index < 4; index += 1) await write(store, `object-${index}`);
    await store.settled();
    expect(names(store)).toEqual(['object-0', 'object-1', 'object-2', 'object-3']);
    expect(await namesAfterRestart(disk)).toEqual(names(store));
  });
});

function failOnLog({ name, path }: DiskCall): string | undefined {
  return name === 'write' && path.endsWith('.jsonl') ? 'ENOSPC' : undefined;
}

describe('a store whose disk fails', () => {
  const calls = ['write', 'sync', 'identity'] as const;
  const codes = ['EIO', 'EROFS', 'EACCES', 'ENOENT', 'EDQUOT'];

  it.each(calls.flatMap((name) => codes.map((code) => [name, code] as const)))(
    'rejects a write when %s fails with %s, and accepts the next one when it succeeds',
    async (name, code) => {
      const disk = new SimulatedDisk();
      const store = await openStore(disk);
      await write(store, 'before');
      disk.fault = (call) => (call.name === name ? code : undefined);
      await expect(write(store, 'refused')).rejects.toThrow(
        'cannot save changes in the data directory /data: ',
      );
      expect((await store.failure())?.details).toEqual({ directory, cause: code });
      expect(names(store)).toEqual(['before']);
      disk.fault = () => undefined;
      expect(await store.failure()).toBeUndefined();
      await write(store, 'after');
      expect(await namesAfterRestart(disk)).toEqual(['after', 'before']);
    },
  );

  it('acknowledges no write to a deleted log', async () => {
    const disk = new SimulatedDisk();
    const store = await openStore(disk);
    await write(store, 'before');
    await disk.remove('/data/log-0.jsonl');
    await expect(write(store, 'refused')).rejects.toThrow('its log was deleted or replaced');
    expect(names(store)).toEqual(['before']);
  });
});
