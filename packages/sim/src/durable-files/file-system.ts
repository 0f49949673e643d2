import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Only the owner: what is kept has Secrets, tokens and private keys in it. */
export const privateFileMode = 0o600;
export const privateDirectoryMode = 0o700;

export interface OpenFile {
  /** Returns how many of the bytes were written, which may be fewer than there are. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  truncate(length: number): Promise<void>;
  /** Resolves when content and length would survive a loss of power. */
  sync(): Promise<void>;
  /** The same text for the same file, whatever path leads to it. */
  identity(): Promise<string>;
  close(): Promise<void>;
}

/** The calls that durable state is kept with; tests put one in their place that fails on demand. */
export interface FileSystem {
  /** `wx` creates a private file and fails where one exists; `r+` opens one that exists. */
  open(path: string, flags: 'wx' | 'r+'): Promise<OpenFile>;
  read(path: string): Promise<Buffer>;
  list(directory: string): Promise<readonly string[]>;
  rename(from: string, to: string): Promise<void>;
  /** Succeeds where there is nothing. */
  remove(path: string): Promise<void>;
  /** With the directories above it; those that are created are private and survive a loss of power. */
  makeDirectory(directory: string): Promise<void>;
  /** Makes the creation, renaming and removal of files in it survive a loss of power. */
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
  const first = await mkdir(path, { recursive: true, mode: privateDirectoryMode });
  if (first === undefined) return;
  // Each new directory is an entry in the one above, up to the first that existed before.
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    await syncDirectory(dirname(made));
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
    sync: () => handle.datasync(),
    identity: async () => identityOf(await handle.stat({ bigint: true })),
    close: () => handle.close(),
  };
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}

/** Goes on after short writes; a file that is full says so at the next attempt. */
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
