import { join } from 'node:path';
import { CodedError, fileReason } from '@karpenter/core/errors';
import {
  type DirectoryLock,
  lockDirectory,
  nodeFileSystem,
  partSuffix,
  privateDirectoryMode,
  privateFileMode,
  systemCode,
} from '../durable-files/index.ts';

/** A locked data directory. Files in it are readable by their owner only: they hold keys and tokens. */
export interface DataDirectory {
  readonly path: string;
  /** Runs work on the directory. A system error becomes a CodedError that names the directory. */
  using<T>(work: () => Promise<T>): Promise<T>;
  /** Releases the lock. */
  close(): Promise<void>;
}

/**
 * Names of our files, including damaged files that were renamed and temporary files that were never finished.
 */
const ours = /^((log|snapshot)-\d+\.jsonl|acknowledged|identity\.json|simulated-account|kubeconfig)/;

/**
 * Locks the directory, and creates it if it is missing. Fails without touching anything if another process
 * holds the lock.
 */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  const using = <T>(work: () => Promise<T>): Promise<T> => explained(path, work);
  const lock = await using(() => lockedDirectory(path));
  try {
    await using(() => tidy(path));
  } catch (error) {
    await lock.release();
    throw error;
  }
  return { path, using, close: () => lock.release() };
}

async function lockedDirectory(path: string): Promise<DirectoryLock> {
  await nodeFileSystem.makeDirectory(path);
  return lockDirectory(path);
}

async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof CodedError || systemCode(cause) === undefined) throw cause;
    const why = fileReason(cause, 'write');
    throw new CodedError(
      'unusable-data-directory',
      `cannot use the data directory ${path}: ${why}; fix that or choose another --data-dir`,
      { details: { directory: path, cause: systemCode(cause) ?? '' }, cause },
    );
  }
}

/** Removes temporary files that a killed process left behind, and restricts the mode of the others. */
async function tidy(path: string): Promise<void> {
  const names = await nodeFileSystem.list(path);
  const files = names.filter((name) => ours.test(name));
  const others = names.filter((name) => !ours.test(name) && !name.startsWith('lock-'));
  // A directory that holds only files of others, such as /tmp, keeps its mode.
  if (files.length > 0 || others.length === 0) await narrowDirectory(path);
  for (const name of files) {
    if (name.endsWith(partSuffix)) await nodeFileSystem.remove(join(path, name));
    else await narrow(join(path, name), privateFileMode);
  }
}

async function narrowDirectory(path: string): Promise<void> {
  try {
    await narrow(path, privateDirectoryMode);
  } catch (error) {
    // A volume may belong to another user and be writable by our group. The files in it are private anyway.
    if (systemCode(error) !== 'EPERM') throw error;
  }
}

async function narrow(path: string, mode: number): Promise<void> {
  if (((await nodeFileSystem.modeOf(path)) & ~mode) !== 0) await nodeFileSystem.setMode(path, mode);
}
