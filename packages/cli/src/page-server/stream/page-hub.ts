import type { ServerResponse } from 'node:http';
import type { Decision } from '@karpenter/core/decisions';
import type { PageHello, StreamStatus } from '@karpenter/core/page-api';
import { durationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import type { LiveCluster } from '../../cluster-view/index.ts';
import type { DecisionSource } from '../decisions/index.ts';
import { frame } from './frame.ts';
import { RowFeed } from './row-feed.ts';
import { StreamClient } from './stream-client.ts';
import type { TouchedRows } from './touched-rows.ts';

export interface HubOptions {
  readonly cluster: Pick<LiveCluster, 'view' | 'events' | 'problems' | 'isSynced'>;
  readonly decisions: DecisionSource;
  readonly hello: () => Omit<PageHello, 'now'>;
  readonly clock: Clock;
}

const tickMs = durationMs(100);
/** While nobody reads, changes are only forgotten. */
const idleTickMs = durationMs(1_000);
const statusEveryMs = 10_000;
/** A browser that takes nothing for so long is gone or hopelessly slow; it connects again if it is there. */
const stalledAfterMs = 60_000;
/** A client that missed more rows gets all of them again. */
const maxMissedRows = 5_000;

/**
 * Sends the cluster to all clients: each gets everything once and then what changes, at most ten times a second. An
 * event is built once for all clients; only one that lags gets events of its own.
 */
export class PageHub {
  readonly #options: HubOptions;
  readonly #feed: RowFeed;
  readonly #clients = new Set<StreamClient>();
  #newDecisions: Decision[] = [];
  #unavailable: string | undefined;
  #hello = '';
  #status = '';
  #statusAt = Number.NEGATIVE_INFINITY;
  #lastId = 0;
  /** Ends the sleep of the loop. */
  #woken = new AbortController();

  constructor(options: HubOptions) {
    this.#options = options;
    this.#feed = new RowFeed(options.cluster);
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** The first client is served at once, others with the next tick: whoever connects often gets nothing built for it. */
  add(response: ServerResponse): void {
    const isIdle = this.#clients.size === 0;
    const client = new StreamClient(response);
    this.#clients.add(client);
    response.on('close', () => this.#clients.delete(client));
    if (isIdle) this.#woken.abort();
  }

  /** Sends until the signal aborts, and then ends all streams. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, decisions } = this.#options;
    const unsubscribe = decisions.subscribe((decision) => this.#newDecisions.push(decision));
    const wake = () => this.#woken.abort();
    signal.addEventListener('abort', wake);
    try {
      while (!signal.aborted) {
        this.#woken = new AbortController();
        this.tick();
        await clock.sleep(this.#clients.size === 0 ? idleTickMs : tickMs, this.#woken.signal);
      }
    } finally {
      signal.removeEventListener('abort', wake);
      unsubscribe();
      for (const client of this.#clients) client.close();
    }
  }

  /** Sends what has changed since the last time. */
  tick(): void {
    const now = this.#options.clock.now();
    const touched = this.#feed.take(now);
    const frames = this.#clients.size === 0 ? noFrames : this.#framesFor(touched, now);
    this.#newDecisions = [];
    const resets = new Resets(this.#feed, () => this.#nextId());
    for (const client of this.#clients) {
      if (client.isStalled(now, stalledAfterMs)) client.close();
      else if (client.isBlocked) this.#postpone(client, touched, frames);
      else if (client.isNew) this.#begin(client, resets, now);
      else this.#continue(client, { touched, frames, now });
    }
  }

  #continue(client: StreamClient, { touched, frames, now }: Tick): void {
    const { hello, rows, decisions, status } = frames;
    const missed = client.takeMissed(touched);
    const parts = [
      client.hasMissedHello ? this.#helloFrame(now) : hello,
      missed === undefined ? rows : frame(this.#nextId(), 'rows', this.#feed.delta(missed, now)),
      client.hasMissedDecisions ? this.#allDecisions() : decisions,
      client.hasMissedStatus ? this.#statusFrame(now) : status,
    ];
    client.hasMissedHello = false;
    client.hasMissedDecisions = false;
    client.hasMissedStatus = false;
    for (const part of parts) if (part !== undefined) client.write(part, now);
  }

  #postpone(client: StreamClient, touched: TouchedRows, frames: Frames): void {
    client.miss(touched, maxMissedRows);
    client.hasMissedHello ||= frames.hello !== undefined;
    client.hasMissedDecisions ||= frames.decisions !== undefined;
    client.hasMissedStatus ||= frames.status !== undefined;
  }

  #begin(client: StreamClient, resets: Resets, now: number): void {
    client.isNew = false;
    client.forget();
    client.hasMissedHello = false;
    client.hasMissedDecisions = false;
    client.hasMissedStatus = false;
    const parts = [this.#helloFrame(now), resets.rows(now), this.#allDecisions(), this.#statusFrame(now)];
    for (const part of parts) client.write(part, now);
  }

  #framesFor(touched: TouchedRows, now: number): Frames {
    return {
      hello: this.#changedHello(now),
      rows: touched.size === 0 ? undefined : frame(this.#nextId(), 'rows', this.#feed.delta(touched, now)),
      decisions: this.#changedDecisions(),
      status: this.#changedStatus(now),
    };
  }

  #changedHello(now: number): Buffer | undefined {
    const text = JSON.stringify(this.#options.hello());
    const isSame = text === this.#hello || this.#hello === '';
    this.#hello = text;
    return isSame ? undefined : this.#helloFrame(now);
  }

  #helloFrame(now: number): Buffer {
    return frame(this.#nextId(), 'hello', { ...this.#options.hello(), now });
  }

  #changedDecisions(): Buffer | undefined {
    const unavailable = this.#options.decisions.unavailable?.();
    const isSame = this.#newDecisions.length === 0 && unavailable === this.#unavailable;
    this.#unavailable = unavailable;
    if (isSame) return undefined;
    return frame(this.#nextId(), 'decisions', {
      isReset: false,
      decisions: this.#newDecisions,
      ...(unavailable !== undefined && { unavailable }),
    });
  }

  #allDecisions(): Buffer {
    const { decisions } = this.#options;
    const unavailable = decisions.unavailable?.();
    return frame(this.#nextId(), 'decisions', {
      isReset: true,
      decisions: decisions.list(),
      ...(unavailable !== undefined && { unavailable }),
    });
  }

  #changedStatus(now: number): Buffer | undefined {
    const text = JSON.stringify(this.#facts());
    if (text === this.#status && now - this.#statusAt < statusEveryMs) return undefined;
    this.#status = text;
    this.#statusAt = now;
    return this.#statusFrame(now);
  }

  #statusFrame(now: number): Buffer {
    return frame(this.#nextId(), 'status', { now, ...this.#facts() });
  }

  #facts(): Omit<StreamStatus, 'now'> {
    const { cluster } = this.#options;
    return { isSynced: cluster.isSynced(), problems: cluster.problems() };
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}

/** What every client gets that does not lag; undefined where nothing changed. */
interface Frames {
  readonly hello: Buffer | undefined;
  readonly rows: Buffer | undefined;
  readonly decisions: Buffer | undefined;
  readonly status: Buffer | undefined;
}

const noFrames: Frames = { hello: undefined, rows: undefined, decisions: undefined, status: undefined };

interface Tick {
  readonly touched: TouchedRows;
  readonly frames: Frames;
  readonly now: number;
}

/** All rows as one event, shared by the clients that begin in the same tick. */
class Resets {
  readonly #feed: RowFeed;
  readonly #nextId: () => number;
  #rows: Buffer | undefined;

  constructor(feed: RowFeed, nextId: () => number) {
    this.#feed = feed;
    this.#nextId = nextId;
  }

  rows(now: number): Buffer {
    this.#rows ??= frame(this.#nextId(), 'rows', this.#feed.all(now));
    return this.#rows;
  }
}
