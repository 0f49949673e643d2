import { basename, dirname } from 'node:path';
import type { FileSystem, OpenFile } from '@karpenter/sim/durable-files';

/** Calls of a file system by name. */
export interface DiskCall {
  readonly name: keyof FileSystem | keyof OpenFile;
  readonly path: string;
}

interface Content {
  readonly id: number;
  bytes: Buffer;
  /** The part that survives a loss of power. */
  synced: Buffer;
}

const startMode = 0o600;

/**
 * A file system in memory that fails on demand. It tracks what is only in memory and what is synced to disk,
 * so it can show what a killed process leaves behind and what a loss of power destroys.
 */
export class SimulatedDisk implements FileSystem {
  /** Free bytes. A write that is too large is cut short, and the next one fails. */
  room = Number.POSITIVE_INFINITY;
  /** The error code of a call, such as EIO; undefined if it succeeds. */
  fault: (call: DiskCall) => string | undefined = () => undefined;
  /** Number of calls so far. */
  calls = 0;
  /** The process dies before this call; if the call is a write, in the middle of it. */
  lastCall = Number.POSITIVE_INFINITY;
  readonly #names = new Map<string, Content>();
  readonly #syncedNames = new Map<string, Content>();
  readonly #modes = new Map<string, number>();
  #nextId = 1;

  async open(path: string, flags: 'wx' | 'r+'): Promise<OpenFile> {
    this.#begin({ name: 'open', path });
    const known = this.#names.get(path);
    if (flags === 'r+') return this.#file(path, known ?? missing(path));
    if (known !== undefined) throw failure('EEXIST', path);
    const made = { id: this.#nextId, bytes: Buffer.alloc(0), synced: Buffer.alloc(0) };
    this.#nextId += 1;
    this.#names.set(path, made);
    return this.#file(path, made);
  }

  async read(path: string): Promise<Buffer> {
    this.#begin({ name: 'read', path });
    return Buffer.from((this.#names.get(path) ?? missing(path)).bytes);
  }

  async list(directory: string): Promise<readonly string[]> {
    this.#begin({ name: 'list', path: directory });
    return this.paths().flatMap((path) => (dirname(path) === directory ? basename(path) : []));
  }

  async rename(from: string, to: string): Promise<void> {
    this.#begin({ name: 'rename', path: from });
    this.#names.set(to, this.#names.get(from) ?? missing(from));
    this.#names.delete(from);
  }

  async remove(path: string): Promise<void> {
    this.#begin({ name: 'remove', path });
    this.room += this.#names.get(path)?.bytes.length ?? 0;
    this.#names.delete(path);
  }

  async makeDirectory(path: string): Promise<void> {
    this.#begin({ name: 'makeDirectory', path });
  }

  async syncDirectory(path: string): Promise<void> {
    this.#begin({ name: 'syncDirectory', path });
    const isInside = (name: string): boolean => dirname(name) === path;
    for (const name of [...this.#syncedNames.keys()].filter(isInside)) this.#syncedNames.delete(name);
    for (const [name, content] of this.#names) if (isInside(name)) this.#syncedNames.set(name, content);
  }

  async modeOf(path: string): Promise<number> {
    this.#begin({ name: 'modeOf', path });
    return this.#modes.get(path) ?? startMode;
  }

  async setMode(path: string, mode: number): Promise<void> {
    this.#begin({ name: 'setMode', path });
    this.#modes.set(path, mode);
  }

  async identity(path: string): Promise<string> {
    this.#begin({ name: 'identity', path });
    return String((this.#names.get(path) ?? missing(path)).id);
  }

  paths(): readonly string[] {
    return [...this.#names.keys()].sort();
  }

  /** All files with their contents, for comparison. */
  content(): ReadonlyMap<string, string> {
    return new Map(
      this.paths().map((path) => [path, String(this.#names.get(path)?.bytes.toString('latin1'))]),
    );
  }

  /** A disk with the same files, one of them with other content. */
  with(path: string, bytes: Buffer): SimulatedDisk {
    const disk = this.afterKill();
    disk.put(path, bytes);
    return disk;
  }

  without(path: string): SimulatedDisk {
    const disk = this.afterKill();
    disk.#names.delete(path);
    disk.#syncedNames.delete(path);
    return disk;
  }

  /** The disk after this process was killed: everything that was written. */
  afterKill(): SimulatedDisk {
    return copyOf(this.#names, ({ bytes }) => bytes);
  }

  /** The disk after a loss of power at which only synced data had reached it. */
  afterPowerLoss(): SimulatedDisk {
    return copyOf(this.#syncedNames, ({ synced }) => synced);
  }

  /** Adds a file as if it had always been there. */
  put(path: string, bytes: Buffer): void {
    const content = { id: this.#nextId, bytes: Buffer.from(bytes), synced: Buffer.from(bytes) };
    this.#nextId += 1;
    this.#names.set(path, content);
    this.#syncedNames.set(path, content);
  }

  #begin(call: DiskCall): void {
    this.calls += 1;
    if (this.calls > this.lastCall) throw failure('EKILLED', call.path);
    const code = this.fault(call);
    if (code !== undefined) throw failure(code, call.path);
  }

  #file(path: string, content: Content): OpenFile {
    return {
      write: async (bytes, position) => this.#write(path, content, bytes, position),
      truncate: async (length) => {
        this.#begin({ name: 'truncate', path });
        this.room += Math.max(0, content.bytes.length - length);
        content.bytes = Buffer.concat([content.bytes], length);
      },
      sync: async () => {
        this.#begin({ name: 'sync', path });
        content.synced = Buffer.from(content.bytes);
      },
      identity: async () => String(content.id),
      close: async () => {},
    };
  }

  #write(path: string, content: Content, bytes: Uint8Array, position: number): number {
    const isCut = this.calls + 1 === this.lastCall;
    this.#begin({ name: 'write', path });
    const grows = Math.max(0, position + bytes.length - content.bytes.length);
    if (grows > 0 && this.room <= 0) throw failure('ENOSPC', path);
    const fitting = bytes.length - Math.max(0, grows - this.room);
    const taken = bytes.subarray(0, isCut ? Math.floor(fitting / 2) : fitting);
    const length = Math.max(content.bytes.length, position + taken.length);
    this.room -= length - content.bytes.length;
    const next = Buffer.concat([content.bytes], length);
    next.set(taken, position);
    content.bytes = next;
    if (isCut) throw failure('EKILLED', path);
    return taken.length;
  }
}

function copyOf(names: ReadonlyMap<string, Content>, pick: (content: Content) => Buffer): SimulatedDisk {
  const disk = new SimulatedDisk();
  for (const [path, content] of names) disk.put(path, pick(content));
  return disk;
}

function missing(path: string): never {
  throw failure('ENOENT', path);
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
