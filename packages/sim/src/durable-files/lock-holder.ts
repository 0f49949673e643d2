import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { systemCode } from './file-system.ts';
import { withShortPath } from './short-path.ts';

/** The process that holds, or held, a lock. */
export interface LockHolder {
  readonly pid: number;
  /** Whether it listens on a socket in the lock. The kernel closes it with the process, however that ends. */
  readonly hasSocket: boolean;
  /** Start time, which distinguishes processes with a reused pid; absent where the system has no /proc. */
  readonly started?: string;
  readonly isReleased?: boolean;
}

export const holderFile = 'holder.json';
export const socketFile = 'socket';

const noSuchFile = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** Undefined when the lock is gone or not readable as one. */
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

/** Whether the holder still runs and has not released the lock. */
export async function isAlive(lock: string, holder: LockHolder): Promise<boolean> {
  if (holder.isReleased === true) return false;
  return holder.hasSocket ? isListening(lock) : isRunning(holder);
}

const notListening = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTDIR', 'ENOTSOCK']);

/**
 * Connects to the socket. The kernel accepts connections even for a process that is busy or stopped, so the
 * holder need not respond.
 */
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
        // Only an error that proves that no process listens may count as a stale lock.
        socket.on('error', (error) => resolve(!notListening.has(systemCode(error) ?? '')));
      }),
  );
}

async function isRunning({ pid, started }: LockHolder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false;
  }
  // EPERM means that the process exists and belongs to another user.
  const now = await startOf(pid);
  return started === undefined || now === undefined || started === now;
}

/** Boot id and start time of a process, to compare; undefined on systems without /proc. */
export async function startOf(pid: number): Promise<string | undefined> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The program name, in parentheses, may contain spaces.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${boot.trim()} ${ticks}`;
  } catch {
    return undefined;
  }
}
