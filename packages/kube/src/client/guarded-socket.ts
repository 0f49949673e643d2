import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/**
 * A connection that asks before each piece of data leaves this process, and breaks when it is refused. HTTP/2 collects
 * what requests want to send and sends it later, when everything else that is due at that moment has run: a request that
 * was allowed may leave long after.
 */
export class GuardedSocket extends Duplex {
  readonly #socket: TLSSocket;
  readonly #beforeWrite: () => void;

  constructor(socket: TLSSocket, beforeWrite: () => void) {
    super();
    this.#socket = socket;
    this.#beforeWrite = beforeWrite;
    // Node does so where HTTP/2 has the socket itself; else the end of each request waits for the server to confirm its
    // beginning.
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
