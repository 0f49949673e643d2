import { type FileHandle, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change } from './change.ts';
import type { Entry } from './entry.ts';
import type { Journal, Recovered } from './journal.ts';
import { changeLine, endLine, entryLine, headLine } from './journal-record.ts';
import { logName, recover, snapshotName } from './recovery.ts';

const bytesPerLog = 64 * 1024 * 1024;

export interface FileJournalOptions {
  readonly directory: string;
  /** When a log has grown this large, a snapshot takes the place of what came before. */
  readonly bytesPerLog?: number;
  /** The present state, for snapshots. */
  readonly entries: () => Iterable<Entry>;
}

interface Pending {
  readonly line: string;
  readonly revision: number;
  readonly written: () => void;
}

/**
 * An append-only log with snapshots. Changes that come while the disk is busy share its next flush: that is
 * what makes many small durable writes affordable.
 */
export class FileJournal implements Journal {
  readonly recovered: Recovered;
  readonly #options: FileJournalOptions;
  #log: FileHandle;
  #logBytes = 0;
  #pending: Pending[] = [];
  #flushing: Promise<void> | undefined;
  #failure: unknown;

  private constructor(options: FileJournalOptions, recovered: Recovered, log: FileHandle) {
    this.#options = options;
    this.recovered = recovered;
    this.#log = log;
  }

  /** Reads back what is there, then starts a new log, so that a torn end is never written after. */
  static async open(options: FileJournalOptions): Promise<FileJournal> {
    await mkdir(options.directory, { recursive: true });
    const recovered = await recover(options.directory);
    await writeSnapshot(options.directory, recovered.revision, recovered.entries);
    const log = await openLog(options.directory, recovered.revision);
    await removeOlder(options.directory, recovered.revision);
    return new FileJournal(options, recovered, log);
  }

  append(change: Change, written: () => void): void {
    this.#pending.push({ line: changeLine(change), revision: change.revision, written });
    this.#flushing ??= this.#flushAll();
  }

  async close(): Promise<void> {
    await this.#flushing;
    await this.#log.close();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #flushAll(): Promise<void> {
    // One turn of the event loop, so that all writes of this turn go together.
    await new Promise(setImmediate);
    try {
      while (this.#pending.length > 0) await this.#flush();
    } catch (error) {
      // Nothing more is acknowledged: whoever waits for a write waits until the server is stopped.
      this.#failure = error;
    }
    this.#flushing = undefined;
  }

  async #flush(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const batch = this.#pending;
    this.#pending = [];
    const bytes = Buffer.from(batch.map(({ line }) => line).join(''));
    await this.#log.writeFile(bytes);
    await this.#log.datasync();
    this.#logBytes += bytes.length;
    for (const { written } of batch) written();
    const last = batch.at(-1);
    if (last && this.#logBytes >= (this.#options.bytesPerLog ?? bytesPerLog))
      await this.#compact(last.revision);
  }

  /**
   * The snapshot is of the present, which may be ahead of what is flushed; the new log begins at what is
   * flushed, and reading a change twice does no harm.
   */
  async #compact(flushed: number): Promise<void> {
    const { directory, entries } = this.#options;
    const present = [...entries()];
    const log = await openLog(directory, flushed);
    await writeSnapshot(directory, flushed, present);
    await this.#log.close();
    this.#log = log;
    this.#logBytes = 0;
    await removeOlder(directory, flushed);
  }
}

async function openLog(directory: string, revision: number): Promise<FileHandle> {
  const log = await open(join(directory, logName(revision)), 'w');
  await log.writeFile(headLine(revision));
  await log.datasync();
  await syncDirectory(directory);
  return log;
}

/** Complete or absent: it gets its name only when it is whole. */
async function writeSnapshot(directory: string, revision: number, entries: Iterable<Entry>): Promise<void> {
  const path = join(directory, snapshotName(revision));
  const file = await open(`${path}.part`, 'w');
  try {
    await writeFile(file, snapshotLines(revision, entries));
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
  await syncDirectory(directory);
}

function* snapshotLines(revision: number, entries: Iterable<Entry>): Generator<string> {
  yield headLine(revision);
  for (const entry of entries) yield entryLine(entry);
  yield endLine();
}

async function removeOlder(directory: string, revision: number): Promise<void> {
  const kept = new Set([logName(revision), snapshotName(revision)]);
  for (const name of await readdir(directory)) {
    if (/^(log|snapshot)-\d+\.jsonl(\.part)?$/.test(name) && !kept.has(name)) await rm(join(directory, name));
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
