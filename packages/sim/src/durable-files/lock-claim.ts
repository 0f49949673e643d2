import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { privateDirectoryMode, privateFileMode, systemCode } from './file-system.ts';
import { holderFile, type LockHolder, socketFile, startOf } from './lock-holder.ts';
import { withShortPath } from './short-path.ts';

// What rename() reports when the target exists and is not an empty directory.
const taken = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR']);

/**
 * A lock that is complete except for its name: a directory with the holder's details and a socket on which
 * the holder already listens. Renaming it to the lock's name is atomic, so of several processes exactly one
 * succeeds.
 */
export class LockClaim {
  readonly #holder: LockHolder;
  readonly #server: Server | undefined;
  #path: string;

  private constructor(path: string, holder: LockHolder, server: Server | undefined) {
    this.#path = path;
    this.#holder = holder;
    this.#server = server;
  }

  static async make(directory: string): Promise<LockClaim> {
    const path = join(directory, `lock-${randomBytes(4).toString('hex')}.claim`);
    await mkdir(path, { mode: privateDirectoryMode });
    try {
      const server = await listen(path);
      const started = await startOf(process.pid);
      const holder = {
        pid: process.pid,
        hasSocket: server !== undefined,
        ...(started === undefined ? {} : { started }),
      };
      await writeHolder(path, holder);
      return new LockClaim(path, holder, server);
    } catch (error) {
      await rm(path, { recursive: true, force: true });
      throw error;
    }
  }

  /** Renames the claim to the lock; false when another process was first. */
  async take(path: string): Promise<boolean> {
    try {
      await rename(this.#path, path);
    } catch (error) {
      if (taken.has(systemCode(error) ?? '')) return false;
      throw error;
    }
    this.#path = path;
    return true;
  }

  /**
   * Marks the lock as released but keeps its name, so that a slower process that listed the directory earlier
   * cannot take the same number again.
   */
  async release(): Promise<void> {
    // If the directory was deleted, no mark is needed. After any other error, closing the socket releases the
    // lock anyway.
    await writeHolder(this.#path, { ...this.#holder, isReleased: true }).catch(() => undefined);
    await this.#close();
    await rm(join(this.#path, socketFile), { force: true });
  }

  /** Removes a claim that was not taken. */
  async discard(): Promise<void> {
    await this.#close();
    await rm(this.#path, { recursive: true, force: true });
  }

  async #close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  }
}

async function writeHolder(path: string, holder: LockHolder): Promise<void> {
  await writeFile(join(path, holderFile), JSON.stringify(holder), { mode: privateFileMode });
}

/** Undefined on file systems without sockets; the lock then relies on the pid. */
function listen(directory: string): Promise<Server | undefined> {
  return withShortPath(
    directory,
    (short) =>
      new Promise((resolve) => {
        const server = createServer((socket) => socket.destroy());
        server.once('error', () => resolve(undefined));
        const socket = join(short, socketFile);
        server.listen(socket, () => {
          // The lock must not keep the process alive.
          server.unref();
          void chmod(socket, privateFileMode).then(() => resolve(server));
        });
      }),
  );
}
