import { SimulatedDisk } from '@karpenter/testkit/disk';
import { describe, expect, it } from 'vitest';
import { FileJournal, Store } from './index.ts';

const directory = '/data';
/** Small, so that snapshots are made and generations removed in between. */
const bytesPerLog = 600;
const writes = 12;

async function openStore(disk: SimulatedDisk): Promise<Store> {
  let store: Store | undefined;
  const journal = await FileJournal.open({
    directory,
    files: disk,
    bytesPerLog,
    entries: () => store?.durableEntries() ?? [],
  });
  store = new Store({ journal });
  return store;
}

/** By object: the value that was acknowledged last, and those asked for since without an answer. */
type Ledger = Map<string, readonly (string | undefined)[]>;

/** Writes, replaces and removes until it is through or the disk is gone. */
async function work(disk: SimulatedDisk, ledger: Ledger, round: string): Promise<void> {
  try {
    const store = await openStore(disk);
    for (let index = 0; index < writes; index += 1) await change(store, ledger, `${round}-${index}`, index);
    await store.close();
  } catch {
    // The process is dead; what it knew does not matter any more.
  }
}

async function change(store: Store, ledger: Ledger, value: string, index: number): Promise<void> {
  const name = `object-${index % 5}`;
  const present = store.get('configmaps', 'default', name);
  const isRemoval = present !== undefined && index % 4 === 3;
  const asked = isRemoval ? undefined : value;
  ledger.set(name, [...(ledger.get(name) ?? [undefined]), asked]);
  if (isRemoval) store.remove(present);
  else store.put('configmaps', { metadata: { namespace: 'default', name }, data: { value } });
  await store.durable();
  ledger.set(name, [asked]);
}

function valuesIn(store: Store): ReadonlyMap<string, string | undefined> {
  return new Map(
    store.list('configmaps').map(({ name, object }) => [name, JSON.stringify(object['data'])] as const),
  );
}

/** Objects that are neither as acknowledged nor as asked for since. */
function lost(store: Store, ledger: Ledger): readonly string[] {
  const present = valuesIn(store);
  const text = (value: string | undefined) => (value === undefined ? undefined : JSON.stringify({ value }));
  return [...ledger].flatMap(([name, possible]) => {
    const found = present.get(name);
    return possible.map(text).includes(found) ? [] : [`${name}: ${found}`];
  });
}

/** As many calls as the whole work takes. */
async function callsOf(work: (disk: SimulatedDisk) => Promise<void>): Promise<number> {
  const disk = new SimulatedDisk();
  await work(disk);
  return disk.calls;
}

const ends = [
  ['killed', (disk: SimulatedDisk) => disk.afterKill()],
  ['without power', (disk: SimulatedDisk) => disk.afterPowerLoss()],
] as const;

describe('a store interrupted at any file system call', () => {
  it.each(ends)('has every acknowledged write after it was %s, and accepts new writes', async (_, after) => {
    const calls = await callsOf((disk) => work(disk, new Map(), 'a'));
    expect(calls).toBeGreaterThan(100);
    for (let lastCall = 1; lastCall <= calls; lastCall += 1) {
      const ledger: Ledger = new Map();
      const disk = new SimulatedDisk();
      disk.lastCall = lastCall;
      await work(disk, ledger, 'a');
      const next = after(disk);
      expect({ lastCall, lost: lost(await openStore(next), ledger) }).toEqual({ lastCall, lost: [] });
      await work(next, ledger, 'b');
      expect(lost(await openStore(next.afterKill()), ledger)).toEqual([]);
    }
  });

  it.each(ends)(
    'has every acknowledged write after it was %s twice, the second time during start',
    async (_, after) => {
      const calls = await callsOf((disk) => work(disk, new Map(), 'a'));
      const starts = 30;
      for (let first = 20; first <= calls; first += 7) {
        for (let second = 1; second <= starts; second += 1) {
          const ledger: Ledger = new Map();
          const disk = new SimulatedDisk();
          disk.lastCall = first;
          await work(disk, ledger, 'a');
          const again = after(disk);
          again.lastCall = second;
          await work(again, ledger, 'b');
          const found = lost(await openStore(after(again)), ledger);
          expect({ first, second, found }).toEqual({ first, second, found: [] });
        }
      }
    },
  );
});
