// A lock between processes: a file that names its holder, so that the lock of a process that was killed, such as by
// Ctrl-C during an installation, does not keep the next command waiting.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

const patienceMs = 10 * 60_000;
const pauseMs = 200;

/**
 * Waits until the lock is free and takes it.
 *
 * @param {string} path
 * @param {{ onWait?: (holder: string) => void, patience?: number }} [options] `onWait` is called once, when the lock
 *   is held by a process that may still run; `patience` is in milliseconds
 * @returns {{ release?: () => void, heldBy?: string }} `release` is missing if the lock was not free in time
 */
export function holdLock(path, { onWait, patience = patienceMs } = {}) {
  const end = Date.now() + patience;
  let heldBy;
  while (!take(path)) {
    const holder = holderOf(path);
    if (isGone(holder) ?? isOld(path)) {
      rmSync(path, { recursive: true, force: true });
      continue;
    }
    if (Date.now() >= end) return { heldBy };
    if (heldBy === undefined) onWait?.(textOf(holder));
    heldBy = textOf(holder);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
  return { release: () => rmSync(path, { force: true }) };
}

function take(path) {
  try {
    writeFileSync(path, JSON.stringify({ host: hostname(), pid: process.pid }), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST' && error.code !== 'EISDIR') throw error;
    return false;
  }
}

/** Undefined while the holder has not yet written its name, and for a lock of an earlier version, a directory. */
function holderOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Undefined if only the age of the lock can tell: numbers of processes mean nothing on another machine or in another
 * container that shares the checkout.
 */
function isGone(holder) {
  if (holder === undefined || holder.host !== hostname()) return undefined;
  try {
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function isOld(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > patienceMs;
}

function textOf(holder) {
  return holder === undefined ? 'an unknown process' : `process ${holder.pid} of ${holder.host}`;
}
