import { type ClientHttp2Session, connect } from 'node:http2';
import type { Duplex } from 'node:stream';
import { durationMs } from '@karpenter/core/values';
import type { Clock } from '../runtime/index.ts';
import { outsideHttp2Callbacks } from './http2-callbacks.ts';

/**
 * Node's default of 10 MB per session resets streams beyond
 * it, and the events of one large rollout exceed it.
 */
const maxSessionMegabytes = 1_000;

/** Concurrent streams per session, unless the server's settings allow fewer. */
const maxStreams = 100;
/**
 * The stream window is far smaller than the session's, so
 * that a slow reader blocks its own stream and no other.
 */
const windows = { stream: 512 * 1024, session: 64 * 1024 * 1024 };
/**
 * Health check of idle and busy sessions, with the intervals of client-go: ping after 30 s, close 15 s later.
 */
const pingAfter = durationMs(30_000);
const pingWithin = durationMs(15_000);

interface Pooled {
  readonly session: ClientHttp2Session;
  /** Open streams. */
  streams: number;
}

/**
 * HTTP/2 sessions to one server. One is enough for most clients; the pool opens another when all have as many
 * streams as the server allows. It drops a session that closes, receives GOAWAY or stops answering pings.
 */
export class Http2SessionPool {
  readonly #server: URL;
  readonly #dial: () => Promise<Duplex>;
  readonly #clock: Clock;
  readonly #usable = new Set<Pooled>();
  /** All open sessions, including those that accept no new streams but still serve old ones. */
  readonly #all = new Set<ClientHttp2Session>();
  /** Connection attempt in progress, shared by all callers that wait for a session. */
  #dialling: Promise<void> | undefined;
  #isClosed = false;

  constructor(server: URL, dial: () => Promise<Duplex>, clock: Clock) {
    this.#server = server;
    this.#dial = dial;
    this.#clock = clock;
  }

  /**
   * Returns a session with room for one stream. The caller must call `release` once, when the stream closes.
   */
  async acquire(): Promise<{ readonly session: ClientHttp2Session; readonly release: () => void }> {
    for (;;) {
      this.#refuseClosed();
      const pooled = [...this.#usable].find(hasRoom);
      if (pooled !== undefined) {
        pooled.streams += 1;
        return { session: pooled.session, release: () => this.#release(pooled) };
      }
      this.#dialling ??= this.#open().finally(() => {
        this.#dialling = undefined;
      });
      await this.#dialling;
    }
  }

  /** Starts a session on an open connection, such as the one that negotiated the protocol. */
  adopt(socket: Duplex): void {
    const session = connect(this.#server, {
      createConnection: () => socket,
      maxSessionMemory: maxSessionMegabytes,
      settings: { enablePush: false, initialWindowSize: windows.stream },
    });
    session.setLocalWindowSize(windows.session);
    const pooled: Pooled = { session, streams: 0 };
    const stopPings = new AbortController();
    const drop = () => this.#usable.delete(pooled);
    this.#all.add(session);
    this.#usable.add(pooled);
    session.on('error', drop);
    session.on('goaway', drop);
    session.on('close', () => {
      drop();
      this.#all.delete(session);
      stopPings.abort();
    });
    void this.#ping(session, stopPings.signal);
  }

  /** Destroys all sessions and aborts their streams, for good: later requests fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await outsideHttp2Callbacks(() => {
      for (const session of this.#all) session.destroy();
    });
  }

  async #open(): Promise<void> {
    this.#refuseClosed();
    const socket = await this.#dial();
    // The pool was closed during the dial: no one would close this connection, which would keep the process alive.
    if (this.#isClosed) socket.destroy();
    this.#refuseClosed();
    this.adopt(socket);
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new Error(`the client of ${this.#server.origin} is closed`);
  }

  /** Nothing to close here: a session that received GOAWAY closes itself with its last stream. */
  #release(pooled: Pooled): void {
    pooled.streams -= 1;
  }

  /**
   * Pings the session until it closes. A connection can die
   * without a FIN or RST; only an unanswered ping shows it.
   */
  async #ping(session: ClientHttp2Session, ended: AbortSignal): Promise<void> {
    for (;;) {
      await this.#clock.sleep(pingAfter, ended);
      if (ended.aborted || session.destroyed) return;
      const answered = new AbortController();
      if (!session.ping((error) => error === null && answered.abort())) return;
      await this.#clock.sleep(pingWithin, answered.signal);
      if (!answered.signal.aborted && !ended.aborted) {
        await outsideHttp2Callbacks(() => session.destroy(new Error('the server stopped answering')));
      }
    }
  }
}

function hasRoom({ session, streams }: Pooled): boolean {
  if (session.closed || session.destroyed) return false;
  return streams < Math.min(session.remoteSettings.maxConcurrentStreams ?? maxStreams, maxStreams);
}
