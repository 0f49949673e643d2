import { CodedError } from '@karpenter/core/errors';
import { type FileSystem, nodeFileSystem } from '../../durable-files/index.ts';
import { AcknowledgedMark } from './acknowledged-mark.ts';
import type { Change } from './change.ts';
import type { Entry } from './entry.ts';
import { createLog, type Generation, writeSnapshot } from './generation.ts';
import type { Journal, JournalListener, Recovered } from './journal.ts';
import { removeOlder } from './journal-directory.ts';
import { endedUnsaved, journalFailure } from './journal-failure.ts';
import { changeLine } from './journal-record.ts';
import { LogFile } from './log-file.ts';
import { recover } from './recovery.ts';
import { type Repaired, repair } from './repair.ts';
import { setAside } from './set-aside.ts';

const bytesPerLog = 64 * 1024 * 1024;
/** As much as a file system gives out at once, and as the largest object takes. */
const leastProbe = 4096;
const largestProbe = 1024 * 1024;

export interface FileJournalOptions {
  readonly directory: string;
  /** When a log has grown this large, a snapshot takes the place of what came before. */
  readonly bytesPerLog?: number;
  /** The state as of the last change that was written, for snapshots. */
  readonly entries: () => Iterable<Entry>;
  readonly files?: FileSystem;
  /** Keeps what can be read of a damaged directory instead of refusing it. */
  readonly repair?: boolean;
  /** Hears what a repair could not keep. */
  readonly onNotice?: (message: string) => void;
}

interface Pending {
  readonly line: string;
  readonly revision: number;
  readonly written: () => void;
}

/**
 * An append-only log with snapshots. Changes that come while the disk is busy share its next flush: that is
 * what makes many small durable writes affordable. A flush that fails leaves no trace: what it was to write and what
 * has been appended since is discarded, and the next change is tried anew.
 */
export class FileJournal implements Journal {
  readonly recovered: Recovered;
  readonly #options: FileJournalOptions;
  readonly #files: FileSystem;
  readonly #mark: AcknowledgedMark;
  #listener: JournalListener = { discarded: () => {}, resumed: () => {} };
  #log: LogFile;
  #compactAt: number;
  #pending: Pending[] = [];
  #flushing: Promise<void> | undefined;
  #failure: CodedError | undefined;
  /** How much the disk did not take: while it takes less than that, it is still as good as full. */
  #failedBytes = 0;
  #hasFailed = false;

  private constructor(options: FileJournalOptions, recovered: Recovered, opened: OpenedFiles) {
    this.#options = options;
    this.#files = options.files ?? nodeFileSystem;
    this.recovered = recovered;
    this.#log = opened.log;
    this.#mark = opened.mark;
    this.#compactAt = options.bytesPerLog ?? bytesPerLog;
  }

  static async open(options: FileJournalOptions): Promise<FileJournal> {
    const files = options.files ?? nodeFileSystem;
    await files.makeDirectory(options.directory);
    const { recovered, opened } = await openFiles(options, files);
    return new FileJournal(options, recovered, opened);
  }

  append(change: Change, written: () => void): void {
    this.#pending.push({ line: changeLine(change), revision: change.revision, written });
    this.#flushing ??= this.#flushAll();
  }

  listen(listener: JournalListener): void {
    this.#listener = listener;
  }

  async check(): Promise<CodedError | undefined> {
    if (this.#failure !== undefined) this.#flushing ??= this.#probe();
    await this.#flushing;
    return this.#failure;
  }

  async close(): Promise<void> {
    await this.#flushing;
    await this.#log.close();
    // All it says is in the log, too, and that is on disk.
    await this.#mark.close().catch(() => undefined);
    if (this.#failure !== undefined) throw endedUnsaved(this.#options.directory, this.#failure);
  }

  async #flushAll(): Promise<void> {
    // One turn of the event loop, so that all writes of this turn go together.
    await new Promise(setImmediate);
    while (this.#pending.length > 0) await this.#flush();
    this.#flushing = undefined;
  }

  async #flush(): Promise<void> {
    const batch = this.#pending;
    this.#pending = [];
    const last = batch.at(-1)?.revision ?? 0;
    const bytes = Buffer.from(batch.map(({ line }) => line).join(''));
    if (!(await this.#succeeds(bytes.length, () => this.#write(bytes, last)))) return;
    for (const { written } of batch) isolate(written);
    if (this.#log.length >= this.#compactAt) await this.#compact(last);
  }

  async #write(bytes: Uint8Array, last: number): Promise<void> {
    await this.#log.append(bytes);
    await this.#mark.write(last);
    this.#log.commit(bytes);
  }

  async #probe(): Promise<void> {
    const length = Math.min(Math.max(this.#failedBytes, leastProbe), largestProbe);
    await this.#succeeds(length, () => this.#log.probe(length));
    // Changes that came meanwhile found somebody at work and did not start a flush.
    await this.#flushAll();
  }

  async #succeeds(size: number, write: () => Promise<void>): Promise<boolean> {
    try {
      await write();
    } catch (error) {
      await this.#log.rollBack();
      this.#failure = journalFailure(this.#options.directory, error);
      this.#failedBytes = Math.min(size, largestProbe);
      this.#hasFailed = true;
      this.#pending = [];
      const failure = this.#failure;
      isolate(() => this.#listener.discarded(failure));
      return false;
    }
    const hadFailed = this.#hasFailed;
    this.#hasFailed = false;
    if (size >= this.#failedBytes) this.#failure = undefined;
    if (hadFailed) isolate(() => this.#listener.resumed());
    return true;
  }

  /** When it fails, the current generation stays in use. */
  async #compact(revision: number): Promise<void> {
    const { directory, entries } = this.#options;
    const generation = { directory, files: this.#files, revision };
    try {
      await writeSnapshot(generation, [...entries()]);
      const log = await createLog(generation);
      const old = this.#log;
      this.#log = log;
      this.#compactAt = this.#options.bytesPerLog ?? bytesPerLog;
      await old.close();
      await removeOlder(directory, this.#files, revision);
    } catch {
      // Not at every flush: a snapshot of a large cluster takes its time, and may fail for long.
      this.#compactAt = Math.max(
        this.#compactAt,
        this.#log.length + (this.#options.bytesPerLog ?? bytesPerLog) / 4,
      );
    }
  }
}

interface OpenedFiles {
  readonly log: LogFile;
  readonly mark: AcknowledgedMark;
}

async function openFiles(
  options: FileJournalOptions,
  files: FileSystem,
): Promise<{ readonly recovered: Recovered; readonly opened: OpenedFiles }> {
  const { directory } = options;
  const { recovered, log } = await recoverOrRepair(options, files);
  const generation = { directory, files, revision: recovered.revision };
  const mark = await AcknowledgedMark.open(directory, files, recovered.revision);
  try {
    const place = log === undefined ? undefined : { directory, files, ...log };
    const opened = place === undefined ? newGeneration(generation, recovered) : LogFile.open(place);
    return { recovered, opened: { mark, log: await opened } };
  } catch (error) {
    await mark.close();
    throw error;
  }
}

/** For a directory of an older format, that was never used before or that was just repaired. */
async function newGeneration(generation: Generation, { entries, revision }: Recovered): Promise<LogFile> {
  await writeSnapshot(generation, entries);
  const log = await createLog(generation);
  await removeOlder(generation.directory, generation.files, revision);
  return log;
}

interface Found {
  readonly recovered: Recovered;
  readonly log: { readonly revision: number; readonly length: number } | undefined;
}

async function recoverOrRepair(options: FileJournalOptions, files: FileSystem): Promise<Found> {
  const { directory, onNotice = () => {} } = options;
  try {
    const { log, ...recovered } = await recover(directory, files);
    return { recovered, log };
  } catch (error) {
    const isDamaged = error instanceof CodedError && error.code === 'damaged-data-directory';
    if (!isDamaged || options.repair !== true) throw error;
    const repaired = await repair(directory, files);
    await keepRepaired({ directory, files, revision: repaired.revision }, repaired);
    for (const loss of repaired.losses) onNotice(loss);
    return { recovered: repaired, log: undefined };
  }
}

/** The snapshot comes first: until it is there, the damaged files are all there is. */
async function keepRepaired(generation: Generation, { entries, originals }: Repaired): Promise<void> {
  await writeSnapshot(generation, entries);
  await setAside(generation.directory, generation.files, originals);
}

/** A listener that throws is a fault of this program; it must not look like a failure of the disk. */
function isolate(call: () => void): void {
  try {
    call();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
