import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { systemCode } from './file-system.ts';
import { withShortPath } from './short-path.ts';

/** Who holds, or held, a lock. */
export interface LockHolder {
  readonly pid: number;
  /** Listens on a socket in the lock, which the system closes with the process, however that ends. */
  readonly hasSocket: boolean;
  /** Tells processes apart that had the same pid one after the other; where the system does not say it is absent. */
  readonly started?: string;
  readonly isReleased?: boolean;
}

export const holderFile = 'holder.json';
export const socketFile = 'socket';

const noSuchFile = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** Undefined where the lock is gone or says nothing that can be understood. */
export async function readHolder(lock: string): Promise<LockHolder | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(lock, holderFile), 'utf8'));
    return isHolder(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || noSuchFile.has(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

function isHolder(value: unknown): value is LockHolder {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    Number.isSafeInteger(value.pid) &&
    'hasSocket' in value
  );
}

export async function isAlive(lock: string, holder: LockHolder): Promise<boolean> {
  if (holder.isReleased === true) return false;
  return holder.hasSocket ? isListening(lock) : isRunning(holder);
}

const nobodyListens = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTDIR', 'ENOTSOCK']);

/** The system accepts connections for a process that is busy or stopped, so this asks nothing of the holder. */
function isListening(lock: string): Promise<boolean> {
  return withShortPath(
    lock,
    (short) =>
      new Promise((resolve) => {
        const socket = connect(join(short, socketFile));
        socket.on('connect', () => {
          socket.destroy();
          resolve(true);
        });
        // An error that says nothing about the holder must not cost it the lock.
        socket.on('error', (error) => resolve(!nobodyListens.has(systemCode(error) ?? '')));
      }),
  );
}

async function isRunning({ pid, started }: LockHolder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false;
  }
  const now = await startOf(pid);
  return started === undefined || now === undefined || started === now;
}

/** When a process began, as a text to compare; undefined on systems without /proc. */
export async function startOf(pid: number): Promise<string | undefined> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may have spaces in it.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${boot.trim()} ${ticks}`;
  } catch {
    return undefined;
  }
}
