import { CodedError } from '@karpenter/core/errors';
import { type FileSystem, nodeFileSystem } from '../../durable-files/index.ts';
import { AcknowledgedMark } from './acknowledged-mark.ts';
import type { StoreChange } from './change.ts';
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

// Start and recovery read at most about this much log.
const bytesPerLog = 64 * 1024 * 1024;
/** Sizes of a probe write: from one block of the file system up to the size of the largest object. */
const minProbeBytes = 4096;
const maxProbeBytes = 1024 * 1024;

export interface FileJournalOptions {
  readonly directory: string;
  /** Size at which a snapshot and a new log replace the log. */
  readonly bytesPerLog?: number;
  /** The state after the last change that was written, for snapshots. */
  readonly entries: () => Iterable<Entry>;
  readonly files?: FileSystem;
  /** Recovers what is readable in a damaged directory instead of throwing. */
  readonly repair?: boolean;
  /** Called with one message for each thing that a repair could not recover. */
  readonly onNotice?: (message: string) => void;
}

interface Pending {
  readonly line: string;
  readonly revision: number;
  readonly written: () => void;
}

/**
 * An append-only log with snapshots. Changes that arrive while a flush runs share the next one (group
 * commit), which makes many small durable writes affordable.
 *
 * A flush that fails leaves nothing behind: its changes and those appended since are discarded, and the next
 * change tries again.
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
  /**
   * Size of the write that failed. The failure is over only after a write of this size succeeds: a nearly
   * full disk still accepts small ones.
   */
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

  append(change: StoreChange, written: () => void): void {
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
    // The log is on disk and contains everything that the mark says, so this error does not matter.
    await this.#mark.close().catch(() => undefined);
    if (this.#failure !== undefined) throw endedUnsaved(this.#options.directory, this.#failure);
  }

  async #flushAll(): Promise<void> {
    // Yield once to the event loop, so that all writes of this iteration share a flush.
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
    // Between log and commit: a mark that cannot be written fails the whole flush.
    await this.#mark.write(last);
    this.#log.commit(bytes);
  }

  async #probe(): Promise<void> {
    const length = Math.min(Math.max(this.#failedBytes, minProbeBytes), maxProbeBytes);
    await this.#succeeds(length, () => this.#log.probe(length));
    // Changes that arrived during the probe did not start a flush, because one seemed to run.
    await this.#flushAll();
  }

  async #succeeds(size: number, write: () => Promise<void>): Promise<boolean> {
    try {
      await write();
    } catch (error) {
      await this.#log.rollBack();
      this.#failure = journalFailure(this.#options.directory, error);
      this.#failedBytes = Math.min(size, maxProbeBytes);
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

  /**
   * Writes a snapshot and starts a new log. On failure the current log stays in use: compaction only saves
   * space.
   */
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
      // Do not retry at every flush: a snapshot of a large cluster takes long, and may keep failing.
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

/** Starts a new generation: for a new directory, an older format, or a directory that was just repaired. */
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

/** Writes the snapshot first: until it exists, the damaged files are the only copy of the state. */
async function keepRepaired(generation: Generation, { entries, originals }: Repaired): Promise<void> {
  await writeSnapshot(generation, entries);
  await setAside(generation.directory, generation.files, originals);
}

/**
 * Runs a callback and rethrows its error outside of the flush: a bug in a listener must not look like a disk
 * failure and roll back changes that are saved.
 */
function isolate(call: () => void): void {
  try {
    call();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
