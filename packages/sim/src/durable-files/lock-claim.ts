import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { privateDirectoryMode, privateFileMode, systemCode } from './file-system.ts';
import { holderFile, type LockHolder, socketFile, startOf } from './lock-holder.ts';
import { withShortPath } from './short-path.ts';

const taken = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR']);

/**
 * A lock that is complete and only lacks its name: a folder that says who holds it, with a socket on which the holder
 * already listens. Renaming it is what decides between several: a name goes to one of them.
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

  /** False when another process was first. */
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

  /** The name stays taken, so that a slower process that saw an earlier lock cannot take the same one again. */
  async release(): Promise<void> {
    // A directory that was deleted needs no mark; what else keeps it from being written ends with the socket anyway.
    await writeHolder(this.#path, { ...this.#holder, isReleased: true }).catch(() => undefined);
    await this.#close();
    await rm(join(this.#path, socketFile), { force: true });
  }

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

/** Undefined on file systems without sockets; the pid decides there. */
function listen(directory: string): Promise<Server | undefined> {
  return withShortPath(
    directory,
    (short) =>
      new Promise((resolve) => {
        const server = createServer((socket) => socket.destroy());
        server.once('error', () => resolve(undefined));
        const socket = join(short, socketFile);
        server.listen(socket, () => {
          server.unref();
          void chmod(socket, privateFileMode).then(() => resolve(server));
        });
      }),
  );
}
