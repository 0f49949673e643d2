import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import { LockClaim } from './lock-claim.ts';
import { isAlive, readHolder } from './lock-holder.ts';

export interface DirectoryLock {
  readonly directory: string;
  release(): Promise<void>;
}

/**
 * Keeps every other process out of a directory until it is released or this process ends, however it ends. Locks are
 * numbered and only the highest counts. A dead one is not removed to be made again, which two processes could do at
 * the same time; the next number is taken instead, which only one of them gets.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  let claim: LockClaim | undefined;
  try {
    for (;;) {
      const newest = await newestLock(directory);
      await refuseIfHeld(directory, newest);
      // Only now: a directory that another process holds is not touched.
      claim ??= await LockClaim.make(directory);
      if (await claim.take(lockPath(directory, newest + 1)))
        return await settled(directory, newest + 1, claim);
    }
  } catch (error) {
    await claim?.discard();
    throw error;
  }
}

async function settled(directory: string, number: number, claim: LockClaim): Promise<DirectoryLock> {
  const numbers = await lockNumbers(directory);
  // The first look at the directory may have missed a lock that was being made.
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
