import { join } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import {
  type DirectoryLock,
  lockDirectory,
  nodeFileSystem,
  partSuffix,
  privateDirectoryMode,
  privateFileMode,
  systemCode,
} from '../durable-files/index.ts';

/** A directory that no other process uses. What is kept in it is private to its owner. */
export interface DataDirectory {
  readonly path: string;
  /** Runs something that works on the directory; a failure of the system becomes one sentence about the directory. */
  using<T>(work: () => Promise<T>): Promise<T>;
  /** Lets other processes use it. */
  close(): Promise<void>;
}

/** Files of ours, also those that were kept aside or never finished. */
const ours = /^((log|snapshot)-\d+\.jsonl|acknowledged|identity\.json|simulated-account|kubeconfig)/;

/** Creates the directory where there is none. Changes nothing in one that another process uses. */
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
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError(
      'unusable-data-directory',
      `cannot use the data directory ${path}: ${why}; fix that or choose another --data-dir`,
      { details: { directory: path, cause: systemCode(cause) ?? '' }, cause },
    );
  }
}

/** Removes files that a killed process did not finish, and makes the others private. */
async function tidy(path: string): Promise<void> {
  const names = await nodeFileSystem.list(path);
  const files = names.filter((name) => ours.test(name));
  const others = names.filter((name) => !ours.test(name) && !name.startsWith('lock-'));
  // A directory with other files only, such as /tmp, belongs to somebody else.
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
    // A volume may be owned by another user and writable by our group. Its files are private all the same.
    if (systemCode(error) !== 'EPERM') throw error;
  }
}

async function narrow(path: string, mode: number): Promise<void> {
  if (((await nodeFileSystem.modeOf(path)) & ~mode) !== 0) await nodeFileSystem.setMode(path, mode);
}
