import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Owner only: the files hold Secrets, tokens and private keys. */
export const privateFileMode = 0o600;
export const privateDirectoryMode = 0o700;

export interface OpenFile {
  /** Returns the number of bytes written, which may be fewer than given. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  truncate(length: number): Promise<void>;
  /** Resolves when content and length survive a power failure. */
  sync(): Promise<void>;
  /** Device and inode: equal for the same file under whatever path. */
  identity(): Promise<string>;
  close(): Promise<void>;
}

/** The file operations of durable state. Tests replace it to inject failures. */
export interface FileSystem {
  /** `wx` creates a private file and fails where one exists; `r+` opens one that exists. */
  open(path: string, flags: 'wx' | 'r+'): Promise<OpenFile>;
  read(path: string): Promise<Buffer>;
  list(directory: string): Promise<readonly string[]>;
  rename(from: string, to: string): Promise<void>;
  /** Succeeds when the file does not exist. */
  remove(path: string): Promise<void>;
  /** Creates missing parents too. New directories are private and survive a power failure. */
  makeDirectory(directory: string): Promise<void>;
  /** Makes created, renamed and removed files in the directory survive a power failure. */
  syncDirectory(directory: string): Promise<void>;
  modeOf(path: string): Promise<number>;
  setMode(path: string, mode: number): Promise<void>;
  identity(path: string): Promise<string>;
}

export const nodeFileSystem: FileSystem = {
  open: openNodeFile,
  read: (path) => readFile(path),
  list: (directory) => readdir(directory),
  rename,
  remove: (path) => rm(path, { force: true }),
  makeDirectory,
  syncDirectory,
  modeOf: async (path) => (await stat(path)).mode & 0o7777,
  setMode: chmod,
  identity: async (path) => identityOf(await stat(path, { bigint: true })),
};

async function makeDirectory(directory: string): Promise<void> {
  const path = resolve(directory);
  if (await madeOne(path)) return;
  await makeDirectory(dirname(path));
  await mkdir(path, { mode: privateDirectoryMode });
  await syncDirectory(dirname(path));
}

/**
 * False if the parent is missing. One directory at a time, because Node's recursive mkdir never returns where a
 * file system such as /proc says that the parent is missing although it exists.
 */
async function madeOne(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: privateDirectoryMode });
    // Each new directory is an entry in its parent.
    await syncDirectory(dirname(path));
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST' && (await stat(path)).isDirectory()) return true;
    if (systemCode(error) !== 'ENOENT' || (await exists(dirname(path)))) throw error;
    return false;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
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

async function openNodeFile(path: string, flags: 'wx' | 'r+'): Promise<OpenFile> {
  const handle = await open(path, flags, privateFileMode);
  return {
    write: async (bytes, position) => (await handle.write(bytes, 0, bytes.length, position)).bytesWritten,
    truncate: (length) => handle.truncate(length),
    // datasync skips timestamps but includes the length, which is all that recovery needs.
    sync: () => handle.datasync(),
    identity: async () => identityOf(await handle.stat({ bigint: true })),
    close: () => handle.close(),
  };
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}

/** Continues after short writes. On a full disk the next attempt throws ENOSPC. */
export async function writeFully(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += await file.write(bytes.subarray(written), position + written);
  }
}

/** The code of a failed system call, such as ENOSPC. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
