import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/**
 * A connection that checks the fence before each chunk of data leaves this process, and breaks when the fence refuses.
 * A check when the request is made is not enough: Node's HTTP/2 buffers frames and writes them after all callbacks that
 * are due, which in a process that was stopped meanwhile can be long after the check (ADR 0036).
 */
export class GuardedSocket extends Duplex {
  readonly #socket: TLSSocket;
  readonly #beforeWrite: () => void;

  constructor(socket: TLSSocket, beforeWrite: () => void) {
    super();
    this.#socket = socket;
    this.#beforeWrite = beforeWrite;
    // Node disables Nagle's algorithm only on sockets that it passes to HTTP/2 itself. With it, the end of each request
    // waits until the server acknowledges its beginning.
    socket.setNoDelay(true);
    socket.on('data', (data) => {
      if (!this.push(data)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    try {
      this.#beforeWrite();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
