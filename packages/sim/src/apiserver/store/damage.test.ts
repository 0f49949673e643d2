import { CodedError } from '@karpenter/core/errors';
import { SimulatedDisk } from '@karpenter/testkit/disk';
import { describe, expect, it } from 'vitest';
import { checkedLine } from '../../durable-files/index.ts';
import { FileJournal, Store } from './index.ts';

const directory = '/data';
const log = '/data/log-5.jsonl';
const snapshot = '/data/snapshot-5.jsonl';
const mark = '/data/acknowledged';

interface OpenOptions {
  readonly repair?: boolean;
  readonly onNotice?: (message: string) => void;
}

async function openStore(disk: SimulatedDisk, options: OpenOptions = {}): Promise<Store> {
  let store: Store | undefined;
  const journal = await FileJournal.open({
    directory,
    files: disk,
    bytesPerLog: 430,
    entries: () => store?.durableEntries() ?? [],
    ...options,
  });
  store = new Store({ journal });
  return store;
}

async function put(store: Store, name: string): Promise<void> {
  store.put('pods', { metadata: { namespace: 'default', name } });
  await store.durable();
}

const namesIn = (store: Store): readonly string[] => store.list('pods').map(({ name }) => name);

const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/** A snapshot of four objects and a log with three more. */
async function smallJournal(end: 'stopped' | 'killed'): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  const store = await openStore(disk);
  for (const name of all.slice(0, 4)) await put(store, name);
  for (const name of all.slice(4)) await put(store, name);
  if (end === 'stopped') await store.close();
  return disk.afterKill();
}

/** Either nothing is missing, or it is refused with the sentence and nothing is touched. */
async function expectAllOrRefused(disk: SimulatedDisk, what: string): Promise<'all' | 'refused'> {
  const before = disk.content();
  try {
    const store = await openStore(disk);
    expect({ what, names: namesIn(store) }).toEqual({ what, names: all });
    return 'all';
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    expect({ what, code: error.code, content: disk.content() }).toEqual({
      what,
      code: 'damaged-data-directory',
      content: before,
    });
    expect(error.message).toMatch(
      /^cannot read the cluster's state in \/data\/[a-z0-9.-]+( at record \d+)?: /,
    );
    expect(error.message).toContain('start with --repair');
    return 'refused';
  }
}

function bytesOf(disk: SimulatedDisk, path: string): Buffer {
  return Buffer.from(disk.content().get(path) ?? '', 'latin1');
}

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return copy;
}

describe.each(['stopped', 'killed'] as const)('the journal of a server that was %s', (end) => {
  it('has a snapshot and a log', async () => {
    const disk = await smallJournal(end);
    expect(disk.paths()).toEqual([mark, log, snapshot]);
    expect(await expectAllOrRefused(disk, 'nothing')).toBe('all');
  });

  it.each([log, snapshot])('is rejected with any bit of %s flipped', async (path) => {
    const disk = await smallJournal(end);
    const bytes = bytesOf(disk, path);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const outcome = await expectAllOrRefused(disk.with(path, flipped(bytes, bit)), `${path} bit ${bit}`);
      expect({ bit, outcome }).toEqual({ bit, outcome: 'refused' });
    }
  });

  it.each([log, snapshot])('is rejected with %s truncated at any byte', async (path) => {
    const disk = await smallJournal(end);
    const bytes = bytesOf(disk, path);
    for (let length = 0; length < bytes.length; length += 1) {
      const damaged = disk.with(path, bytes.subarray(0, length));
      expect({ length, outcome: await expectAllOrRefused(damaged, `${path} cut at ${length}`) }).toEqual({
        length,
        outcome: 'refused',
      });
    }
  });

  it.each([log, snapshot])(
    'is rejected with any record of %s missing, duplicated or out of order',
    async (path) => {
      const disk = await smallJournal(end);
      const lines = bytesOf(disk, path)
        .toString('latin1')
        .split(/(?<=\n)/);
      for (let index = 0; index < lines.length; index += 1) {
        const missing = lines.toSpliced(index, 1);
        const doubled = lines.toSpliced(index, 0, lines[index] ?? '');
        const last = lines.toSpliced(index, 1).concat(lines[index] ?? '');
        for (const changed of index === lines.length - 1 ? [missing, doubled] : [missing, doubled, last]) {
          const damaged = disk.with(path, Buffer.from(changed.join(''), 'latin1'));
          expect(await expectAllOrRefused(damaged, `${path} record ${index}`)).toBe('refused');
        }
      }
    },
  );

  it.each([log, snapshot])('is rejected with zeros over a part of %s', async (path) => {
    const disk = await smallJournal(end);
    const bytes = bytesOf(disk, path);
    for (let start = 0; start < bytes.length; start += 16) {
      for (const length of [1, 64, 512]) {
        const damaged = disk.with(
          path,
          Buffer.from(bytes).fill(0, start, Math.min(start + length, bytes.length)),
        );
        expect(await expectAllOrRefused(damaged, `${path} zeros at ${start}`)).toBe('refused');
      }
    }
  });

  it.each([log, snapshot, mark])('is rejected without %s', async (path) => {
    const disk = await smallJournal(end);
    expect(await expectAllOrRefused(disk.without(path), path)).toBe('refused');
  });

  it('is complete or rejected with any bit of the mark flipped', async () => {
    const disk = await smallJournal(end);
    const bytes = bytesOf(disk, mark);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      await expectAllOrRefused(disk.with(mark, flipped(bytes, bit)), `bit ${bit}`);
    }
  });

  it('drops an unfinished record of any length and appends after the previous one', async () => {
    const disk = await smallJournal(end);
    const bytes = bytesOf(disk, log);
    const line = checkedLine(
      '{"put":"pods","revision":9,"object":{"metadata":{"name":"h","namespace":"default"}}}',
    );
    for (let length = 0; length < line.length - 1; length += 1) {
      for (const zeros of [0, 40]) {
        const torn = disk.with(
          log,
          Buffer.concat([bytes, Buffer.from(line.slice(0, length)), Buffer.alloc(zeros)]),
        );
        const store = await openStore(torn);
        expect({ length, names: namesIn(store) }).toEqual({ length, names: all });
        await put(store, 'z');
        expect(namesIn(await openStore(torn.afterKill()))).toEqual([...all, 'z']);
      }
    }
  });
});

describe('a damaged journal that is repaired', () => {
  async function repaired(disk: SimulatedDisk): Promise<{ store: Store; notices: readonly string[] }> {
    const notices: string[] = [];
    const store = await openStore(disk, { repair: true, onNotice: (message) => notices.push(message) });
    return { store, notices };
  }

  it('recovers everything except the damaged record, and reports it', async () => {
    const disk = await smallJournal('killed');
    const bytes = bytesOf(disk, log);
    const damaged = disk.with(log, flipped(bytes, 8 * (bytes.indexOf('"name":"f"') - 5)));
    const { store, notices } = await repaired(damaged);
    expect(namesIn(store)).toEqual(all.filter((name) => name !== 'f'));
    expect(notices[0]).toMatch(
      /^\/data\/log-5\.jsonl: record 3 cannot be read; it was probably about pods f/,
    );
  });

  it('keeps the original files under another name, and starts without --repair the next time', async () => {
    const disk = await smallJournal('killed');
    const bytes = flipped(bytesOf(disk, log), 400);
    const damaged = disk.with(log, bytes);
    const { store } = await repaired(damaged);
    expect(bytesOf(damaged, `${log}.damaged-1`)).toEqual(bytes);
    expect(bytesOf(damaged, `${snapshot}.damaged-1`)).toEqual(bytesOf(disk, snapshot));
    expect(bytesOf(damaged, `${mark}.damaged-1`)).toEqual(bytesOf(disk, mark));
    await put(store, 'z');
    expect(namesIn(await openStore(damaged.afterKill()))).toEqual(namesIn(store));
  });

  it('never reuses a revision that a client may have seen', async () => {
    const disk = await smallJournal('killed');
    const { revision } = await openStore(disk.afterKill());
    const cut = disk.with(log, bytesOf(disk, log).subarray(0, 100));
    const { store, notices } = await repaired(cut);
    expect(store.revision).toBeGreaterThan(revision);
    expect(notices).toContain('/data/acknowledged: revisions 6 to 8 were acknowledged and are in no file');
  });

  it('loses at most the damaged record for any flipped bit', async () => {
    const disk = await smallJournal('killed');
    for (const path of [log, snapshot]) {
      const bytes = bytesOf(disk, path);
      for (let bit = 0; bit < bytes.length * 8; bit += 3) {
        const { store, notices } = await repaired(disk.with(path, flipped(bytes, bit)));
        const missing = all.filter((name) => !namesIn(store).includes(name));
        // A line break that is damaged takes the record on either side along.
        expect({ bit, few: missing.length <= 2, said: notices.length > 0 }).toEqual({
          bit,
          few: true,
          said: true,
        });
      }
    }
  });

  it('can be interrupted at any call and repaired again', async () => {
    const disk = await smallJournal('killed');
    const damaged = disk.with(log, flipped(bytesOf(disk, log), 400));
    const whole = damaged.afterKill();
    const { store } = await repaired(whole);
    for (let lastCall = 1; lastCall <= whole.calls; lastCall += 1) {
      const cut = damaged.afterKill();
      cut.lastCall = lastCall;
      await repaired(cut).catch(() => undefined);
      for (const next of [cut.afterKill(), cut.afterPowerLoss()]) {
        expect(namesIn((await repaired(next)).store)).toEqual(namesIn(store));
        const kept = [...next.content().values()].includes(bytesOf(damaged, log).toString('latin1'));
        expect({ lastCall, kept }).toEqual({ lastCall, kept: true });
      }
    }
  });
});

describe('a journal of the previous format', () => {
  const line = (record: object): string => checkedLine(JSON.stringify(record));
  const putLine = (name: string, revision: number): string =>
    line({ put: 'pods', revision, object: { metadata: { namespace: 'default', name } } });
  const oldSnapshot =
    line({ head: 5 }) +
    all
      .slice(0, 4)
      .map((name, i) => putLine(name, i + 2))
      .join('') +
    line({ end: true });
  const oldLog =
    line({ head: 5 }) +
    all
      .slice(4)
      .map((name, i) => putLine(name, i + 6))
      .join('');

  function oldDisk(logText = oldLog, snapshotText = oldSnapshot): SimulatedDisk {
    const disk = new SimulatedDisk();
    disk.put(log, Buffer.from(logText));
    disk.put(snapshot, Buffer.from(snapshotText));
    return disk;
  }

  it('is read, and written in the current format from then on', async () => {
    const disk = oldDisk();
    const store = await openStore(disk);
    expect(namesIn(store)).toEqual(all);
    await put(store, 'z');
    expect(disk.paths()).toContain(mark);
    expect(namesIn(await openStore(disk.afterKill()))).toEqual([...all, 'z']);
  });

  it('is read with an interrupted snapshot, and with objects that its log repeats', async () => {
    const ahead = oldSnapshot.replace(line({ end: true }), putLine('e', 6) + line({ end: true }));
    const disk = oldDisk(oldLog, ahead);
    disk.put('/data/log-8.jsonl', Buffer.alloc(0));
    disk.put('/data/snapshot-8.jsonl.part', Buffer.from('half'));
    expect(namesIn(await openStore(disk))).toEqual(all);
  });

  it('is rejected with any bit flipped', async () => {
    for (let bit = 0; bit < oldLog.length * 8; bit += 1) {
      const disk = oldDisk().with(log, flipped(Buffer.from(oldLog), bit));
      expect({ bit, outcome: await expectAllOrRefused(disk, `bit ${bit}`) }).toEqual({
        bit,
        outcome: 'refused',
      });
    }
  });
});
