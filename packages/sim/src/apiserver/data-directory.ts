import { join } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import {
  type DirectoryLock,
  lockDirectory,
  nodeFileSystem,
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
const ours = /^((log|snapshot)-\d+\.jsonl|acknowledged|identity\.json|account|kubeconfig)/;

/** Creates the directory where there is none. Changes nothing in one that another process uses. */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  const using = <T>(work: () => Promise<T>): Promise<T> => explained(path, work);
  const lock = await using(() => lockedDirectory(path));
  try {
    await using(() => makePrivate(path));
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
      `cannot use the data directory ${path}: ${why}; put that right or choose another --data-dir`,
      { details: { directory: path, cause: systemCode(cause) ?? '' }, cause },
    );
  }
}

/** A directory that has nothing but files of somebody else's, such as /tmp, is not ours to close to others. */
async function makePrivate(path: string): Promise<void> {
  const names = await nodeFileSystem.list(path);
  const files = names.filter((name) => ours.test(name));
  const others = names.filter((name) => !ours.test(name) && !name.startsWith('lock-'));
  if (files.length > 0 || others.length === 0) await narrow(path, privateDirectoryMode);
  for (const name of files) await narrow(join(path, name), privateFileMode);
}

async function narrow(path: string, mode: number): Promise<void> {
  if (((await nodeFileSystem.modeOf(path)) & ~mode) !== 0) await nodeFileSystem.setMode(path, mode);
}
