import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import { LockClaim } from './lock-claim.ts';
import { isAlive, readHolder } from './lock-holder.ts';

export interface DirectoryLock {
  readonly directory: string;
  /** Lets other processes lock the directory. Later calls return the same promise. */
  release(): Promise<void>;
}

/**
 * Locks a directory against other processes until release or until this process ends, in whatever way. Throws
 * `data-directory-in-use` when another process holds the lock.
 *
 * Locks are numbered and only the highest counts. A process does not remove a stale lock and create it again,
 * since two processes could do that at the same time; it takes the next number, which only one of them can
 * get.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  let claim: LockClaim | undefined;
  try {
    for (;;) {
      const newest = await newestLock(directory);
      await refuseIfHeld(directory, newest);
      // Created only now, because a directory that another process has locked must not be touched.
      claim ??= await LockClaim.make(directory);
      if (await claim.take(lockPath(directory, newest + 1)))
        return await confirmed(directory, newest + 1, claim);
    }
  } catch (error) {
    await claim?.discard();
    throw error;
  }
}

async function confirmed(directory: string, number: number, claim: LockClaim): Promise<DirectoryLock> {
  const numbers = await lockNumbers(directory);
  // Another process may have taken a higher number after the first listing.
  const highest = Math.max(...numbers);
  if (highest > number) throw await lockedBy(directory, highest);
  for (const older of numbers) {
    if (older < number) await rm(lockPath(directory, older), { recursive: true, force: true });
  }
  let releasing: Promise<void> | undefined;
  return {
    directory,
    release: () => {
      releasing ??= claim.release();
      return releasing;
    },
  };
}

async function refuseIfHeld(directory: string, number: number): Promise<void> {
  if (number === 0) return;
  const lock = lockPath(directory, number);
  const holder = await readHolder(lock);
  if (holder !== undefined && (await isAlive(lock, holder))) throw await lockedBy(directory, number);
}

async function lockedBy(directory: string, number: number): Promise<CodedError> {
  const pid = (await readHolder(lockPath(directory, number)))?.pid;
  const holder = pid === undefined ? 'another process' : `the process ${pid}`;
  return new CodedError(
    'data-directory-in-use',
    `cannot use the data directory ${directory}: ${holder} uses it; stop that process or choose another --data-dir`,
    { details: { directory, ...(pid === undefined ? {} : { pid }) } },
  );
}

async function newestLock(directory: string): Promise<number> {
  return Math.max(0, ...(await lockNumbers(directory)));
}

async function lockNumbers(directory: string): Promise<readonly number[]> {
  const names = await readdir(directory);
  return names.flatMap((name) => /^lock-(\d{1,15})$/.exec(name)?.[1] ?? []).map(Number);
}

function lockPath(directory: string, number: number): string {
  return join(directory, `lock-${number}`);
}
