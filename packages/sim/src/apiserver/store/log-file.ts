import { join } from 'node:path';
import { type FileSystem, type OpenFile, writeFully } from '../../durable-files/index.ts';
import { logName } from './journal-directory.ts';

export interface LogPlace {
  readonly directory: string;
  readonly files: FileSystem;
  /** At which revision the log begins. */
  readonly revision: number;
  /** How much of it counts; what comes after is cut off. */
  readonly length: number;
}

/** A log that is appended to. What could not be appended completely is cut off before anything else is written. */
export class LogFile {
  readonly #path: string;
  readonly #files: FileSystem;
  readonly #file: OpenFile;
  readonly #identity: string;
  #length: number;
  #hasRemains = false;

  private constructor(place: LogPlace, file: OpenFile, identity: string) {
    this.#path = join(place.directory, logName(place.revision));
    this.#files = place.files;
    this.#file = file;
    this.#identity = identity;
    this.#length = place.length;
  }

  static async open(place: LogPlace): Promise<LogFile> {
    const file = await place.files.open(join(place.directory, logName(place.revision)), 'r+');
    const log = new LogFile(place, file, await file.identity());
    await log.#cut();
    return log;
  }

  get length(): number {
    return this.#length;
  }

  /** Resolves when the bytes are on disk; `commit` makes them count. */
  async append(bytes: Uint8Array): Promise<void> {
    if (this.#hasRemains) await this.#cut();
    this.#hasRemains = true;
    await writeFully(this.#file, bytes, this.#length);
    await this.#file.sync();
    await this.#checkPresent();
  }

  commit(bytes: Uint8Array): void {
    this.#length += bytes.length;
    this.#hasRemains = false;
  }

  /** Cuts off what was appended and not committed; where that fails, the next `append` begins with it. */
  async rollBack(): Promise<void> {
    await this.#cut().catch(() => undefined);
  }

  /** Rejects while the disk does not take this many bytes. */
  async probe(length: number): Promise<void> {
    await this.append(Buffer.alloc(length, ' '));
    await this.#cut();
  }

  async isPresent(): Promise<boolean> {
    try {
      return (await this.#files.identity(this.#path)) === this.#identity;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    if (this.#hasRemains) await this.rollBack();
    await this.#file.close();
  }

  async #cut(): Promise<void> {
    await this.#file.truncate(this.#length);
    await this.#file.sync();
    this.#hasRemains = false;
  }

  /** A file that was deleted takes everything that is written to it along. */
  async #checkPresent(): Promise<void> {
    if ((await this.#files.identity(this.#path)) === this.#identity) return;
    throw Object.assign(new Error(`${this.#path} was replaced by another file`), { code: 'ENOENT' });
  }
}
