import { join } from 'node:path';
import { type FileSystem, type OpenFile, writeFully } from '../../durable-files/index.ts';
import { logName } from './journal-directory.ts';

export interface LogLocation {
  readonly directory: string;
  readonly files: FileSystem;
  /** Revision at which the log starts. */
  readonly revision: number;
  /** Number of valid bytes; open() truncates the rest. */
  readonly length: number;
}

/**
 * The log that changes are appended to. An incomplete append is truncated before anything else is written, so
 * the file never has garbage in the middle.
 */
export class LogFile {
  readonly #path: string;
  readonly #files: FileSystem;
  readonly #file: OpenFile;
  readonly #identity: string;
  #length: number;
  #hasUncommitted = false;

  private constructor(location: LogLocation, file: OpenFile, identity: string) {
    this.#path = join(location.directory, logName(location.revision));
    this.#files = location.files;
    this.#file = file;
    this.#identity = identity;
    this.#length = location.length;
  }

  static async open(location: LogLocation): Promise<LogFile> {
    const file = await location.files.open(join(location.directory, logName(location.revision)), 'r+');
    const log = new LogFile(location, file, await file.identity());
    await log.#truncate();
    return log;
  }

  get length(): number {
    return this.#length;
  }

  /** Writes and syncs the bytes. They count only after `commit`. */
  async append(bytes: Uint8Array): Promise<void> {
    if (this.#hasUncommitted) await this.#truncate();
    this.#hasUncommitted = true;
    await writeFully(this.#file, bytes, this.#length);
    await this.#file.sync();
    await this.#checkPresent();
  }

  commit(bytes: Uint8Array): void {
    this.#length += bytes.length;
    this.#hasUncommitted = false;
  }

  /** Truncates uncommitted bytes. If that fails, the next `append` does it first. */
  async rollBack(): Promise<void> {
    await this.#truncate().catch(() => undefined);
  }

  /** Writes and removes this many bytes; rejects if the disk does not accept them. */
  async probe(length: number): Promise<void> {
    await this.append(Buffer.alloc(length, ' '));
    await this.#truncate();
  }

  async isPresent(): Promise<boolean> {
    try {
      return (await this.#files.identity(this.#path)) === this.#identity;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    if (this.#hasUncommitted) await this.rollBack();
    await this.#file.close();
  }

  async #truncate(): Promise<void> {
    await this.#file.truncate(this.#length);
    await this.#file.sync();
    this.#hasUncommitted = false;
  }

  /**
   * Writes to a deleted file succeed and are lost, so each append checks that the path still leads to this
   * file.
   */
  async #checkPresent(): Promise<void> {
    if ((await this.#files.identity(this.#path)) === this.#identity) return;
    throw Object.assign(new Error(`${this.#path} was replaced by another file`), { code: 'ENOENT' });
  }
}
