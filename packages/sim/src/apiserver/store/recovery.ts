import { join } from 'node:path';
import { type FileSystem, nodeFileSystem } from '../../durable-files/index.ts';
import { markPath, readMark } from './acknowledged-mark.ts';
import type { Recovered } from './journal.ts';
import {
  damaged,
  type JournalDirectory,
  journalDirectory,
  logName,
  snapshotName,
} from './journal-directory.ts';
import { type JournalFile, readJournalFile } from './journal-file.ts';
import { type ChangeRecord, currentFormat, type JournalRecord } from './journal-record.ts';
import { RecoveredState } from './recovered-state.ts';

export interface Recovery extends Recovered {
  /** The log to append to and its valid length; undefined when a new generation has to be started. */
  readonly log: { readonly revision: number; readonly length: number } | undefined;
}

/**
 * Reads the state of a directory: its newest snapshot and the logs since. Accepts what a crash can leave
 * behind (an unfinished last line, generations that were not completed or not removed) and throws
 * `damaged-data-directory` for anything else.
 */
export async function recover(directory: string, files: FileSystem = nodeFileSystem): Promise<Recovery> {
  const found = await journalDirectory(directory, files);
  const reader = new Reader(found, files);
  await reader.readSnapshot();
  for (const log of neededLogs(found)) await reader.readLog(log);
  reader.checkAcknowledged(await readMark(directory, files));
  return reader.recovery();
}

/** Omits logs whose successor starts at or before the newest snapshot, which contains all their changes. */
function neededLogs({ snapshots, logs }: JournalDirectory): readonly number[] {
  const newest = snapshots.at(-1) ?? 0;
  return logs.filter((_, index) => (logs[index + 1] ?? Number.POSITIVE_INFINITY) > newest);
}

class Reader {
  readonly #found: JournalDirectory;
  readonly #files: FileSystem;
  readonly #state = new RecoveredState();
  /** All changes up to this revision were read. A snapshot of format 1 may contain some later ones too. */
  #reached = 0;
  #last: { readonly path: string; readonly file: JournalFile; readonly revision: number } | undefined;
  #lastRevision = 0;
  #isCurrentFormat = false;

  constructor(found: JournalDirectory, files: FileSystem) {
    this.#found = found;
    this.#files = files;
  }

  async readSnapshot(): Promise<void> {
    const newest = this.#found.snapshots.at(-1);
    if (newest === undefined) return;
    const path = join(this.#found.path, snapshotName(newest));
    const file = readJournalFile(await this.#files.read(path));
    const format = checkSnapshot(path, file, newest);
    for (const { number, record } of file.records) {
      if (!isChange(record)) continue;
      if (format >= currentFormat && record.revision > newest)
        throw damaged(path, number, `it has revision ${record.revision} in a snapshot of ${newest}`);
      this.#state.apply(record);
    }
    this.#noteFormat(format);
    this.#state.reach(newest);
    this.#reached = newest;
  }

  async readLog(revision: number): Promise<void> {
    const path = join(this.#found.path, logName(revision));
    const file = readJournalFile(await this.#files.read(path));
    const isLast = revision === this.#found.logs.at(-1);
    checkLog(path, file, isLast);
    if (revision > this.#reached)
      throw damaged(
        path,
        1,
        `the log before it is missing: it begins at ${revision} and the state at hand ends at ${this.#reached}`,
      );
    this.#lastRevision = revision;
    for (const { number, record } of file.records) {
      if (number === 1) this.#readHead(path, record, revision);
      else this.#readChange(path, number, record);
    }
    this.#last = { path, file, revision };
  }

  /** Throws when the state is older than what clients have seen. */
  checkAcknowledged(mark: number | undefined): void {
    const { path } = this.#found;
    if (mark === undefined) {
      if (this.#isCurrentFormat) throw damaged(markPath(path), undefined, 'the file is missing');
      // A snapshot is written before its log, but a previous log then exists, unless nothing was ever
      // written.
      if (this.#found.logs.length === 0 && this.#reached > 0)
        throw damaged(join(path, logName(this.#reached)), undefined, 'the file is missing');
    } else if (this.#state.revision < mark) {
      const why = `revision ${mark} was acknowledged and the file ends at ${this.#state.revision}, so that its end is missing`;
      throw damaged(this.#last?.path ?? join(path, logName(0)), this.#last?.file.torn?.number, why);
    }
  }

  recovery(): Recovery {
    const { revision, entries } = this.#state;
    const last = this.#last;
    // A log that has no head, or ends before the state does, cannot be continued.
    const isUsable = this.#isCurrentFormat && this.#lastRevision === revision && last?.file.records.length;
    const log =
      last !== undefined && isUsable ? { revision: last.revision, length: last.file.length } : undefined;
    return { revision, entries, log };
  }

  #readHead(path: string, record: JournalRecord, revision: number): void {
    if (!('head' in record) || record.head !== revision)
      throw damaged(path, 1, `it is not the beginning of a log of ${revision}`);
    this.#noteFormat(record.format);
  }

  #readChange(path: string, number: number, record: JournalRecord): void {
    // The store starts at revision 1, so the first change has revision 2.
    const next = Math.max(this.#lastRevision, 1) + 1;
    if (!isChange(record) || record.revision !== next)
      throw damaged(path, number, `revision ${next} is missing`);
    this.#lastRevision = next;
    if (next <= this.#reached) return;
    this.#state.apply(record);
    this.#reached = next;
  }

  #noteFormat(format: number | undefined): void {
    this.#isCurrentFormat = (format ?? 1) >= currentFormat;
  }
}

/**
 * A snapshot gets its name only when it is complete, so a crash cannot leave an incomplete one; continuing
 * would lose objects.
 */
function checkSnapshot(path: string, file: JournalFile, revision: number): number {
  const bad = file.bad[0] ?? file.torn;
  if (bad !== undefined) throw damaged(path, bad.number, 'it is not what was written');
  const [head] = file.records;
  if (head === undefined || !('head' in head.record) || head.record.head !== revision)
    throw damaged(path, 1, `it is not the beginning of a snapshot of ${revision}`);
  const last = file.records.at(-1);
  const changes = file.records.length - 2;
  if (last === undefined || !('end' in last.record))
    throw damaged(path, file.records.length + 1, 'the end of the file is missing');
  if (last.record.count !== undefined && last.record.count !== changes)
    throw damaged(
      path,
      last.number,
      `it says that there are ${last.record.count} objects, and ${changes} are there`,
    );
  return head.record.format ?? 1;
}

function checkLog(path: string, { bad: [bad], torn }: JournalFile, isLast: boolean): void {
  if (bad !== undefined) throw damaged(path, bad.number, 'it is not what was written');
  if (torn !== undefined && !isLast)
    throw damaged(path, torn.number, 'it is incomplete, and a later log goes on after it');
}

export function isChange(record: JournalRecord): record is ChangeRecord {
  return 'put' in record || 'remove' in record;
}
