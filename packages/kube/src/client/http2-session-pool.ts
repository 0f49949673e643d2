import { type ClientHttp2Session, connect } from 'node:http2';
import type { Duplex } from 'node:stream';
import { durationMs } from '@karpenter/core/values';
import type { Clock } from '../runtime/clock.ts';

/** Node ends streams of sessions beyond 10 MB, which the events of one large rollout already are. */
const sessionMegabytes = 1_000;

/** What a session takes at once when the server does not say. */
const usualStreams = 100;
/** A slow reader holds back its own stream long before the session, which others share. */
const windows = { stream: 512 * 1024, session: 64 * 1024 * 1024 };
const pingAfter = durationMs(30_000);
const pingWithin = durationMs(15_000);

interface Pooled {
  readonly session: ClientHttp2Session;
  /** Requests under way. */
  streams: number;
}

/**
 * Sessions of HTTP/2 with one server. One does for most clients; more are opened when a session has as many
 * streams as the server allows. A session that ends, is told to go away or stops answering pings is dropped.
 */
export class Http2SessionPool {
  readonly #server: URL;
  readonly #dial: () => Promise<Duplex>;
  readonly #clock: Clock;
  readonly #usable = new Set<Pooled>();
  readonly #all = new Set<ClientHttp2Session>();
  #dialling: Promise<void> | undefined;

  constructor(server: URL, dial: () => Promise<Duplex>, clock: Clock) {
    this.#server = server;
    this.#dial = dial;
    this.#clock = clock;
  }

  /** A session with room for one more stream, and what to call when that stream is done. */
  async acquire(): Promise<{ readonly session: ClientHttp2Session; readonly release: () => void }> {
    for (;;) {
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

  /** Takes a connection that was opened to find out what the server speaks. */
  adopt(socket: Duplex): void {
    const session = connect(this.#server, {
      createConnection: () => socket,
      maxSessionMemory: sessionMegabytes,
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

  close(): void {
    for (const session of this.#all) session.destroy();
  }

  async #open(): Promise<void> {
    this.adopt(await this.#dial());
  }

  /** A session that was told to go away ends itself when its last stream does. */
  #release(pooled: Pooled): void {
    pooled.streams -= 1;
  }

  /** A connection can die without a word; only asking tells. */
  async #ping(session: ClientHttp2Session, ended: AbortSignal): Promise<void> {
    for (;;) {
      await this.#clock.sleep(pingAfter, ended);
      if (ended.aborted || session.destroyed) return;
      const answered = new AbortController();
      if (!session.ping((error) => error === null && answered.abort())) return;
      await this.#clock.sleep(pingWithin, answered.signal);
      if (!answered.signal.aborted && !ended.aborted) {
        session.destroy(new Error('the server stopped answering'));
      }
    }
  }
}

function hasRoom({ session, streams }: Pooled): boolean {
  if (session.closed || session.destroyed) return false;
  return streams < Math.min(session.remoteSettings.maxConcurrentStreams ?? usualStreams, usualStreams);
}
