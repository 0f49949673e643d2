import type { Clock } from '@karpenter/kube/runtime';
import type { Outgoing } from '../http/reply.ts';
import { type Presentation, present, type Shown, showEntries } from '../reads/presentation.ts';
import type { Selection } from '../selection/index.ts';
import { type StatusError, statusErrorOf } from '../status/status-error.ts';
import type { Entry, StoreChange } from '../store/index.ts';
import { bookmarkObject, errorFrame, eventFor, eventFrame, type ServedWatchEvent } from './watch-event.ts';
import type { ChangeSink } from './watch-hub.ts';

/**
 * A client that is this many events or bytes behind is disconnected, which bounds the memory. It resumes from its last
 * revision, or lists again.
 */
const maxPendingEvents = 65_536;
const maxPendingBytes = 128 * 1024 * 1024;

/** Objects to select and encode between yields: a watch may begin with thousands, and compact ones are decompressed. */
const objectsPerWrite = 500;

export interface WatcherOptions {
  readonly response: Outgoing;
  readonly presentation: Presentation;
  readonly selection: Selection;
  /** The initial events include changes up to this revision. */
  readonly revision: number;
  readonly clock: Clock;
}

/** One watch: encodes changes and writes them as fast as the client reads. */
export class Watcher implements ChangeSink {
  readonly #options: WatcherOptions;
  /** Sent before the pending events. */
  #initial: readonly Entry[] = [];
  /**
   * Pending events in order. They are encoded when they are sent, so a slow client costs no JSON in memory.
   */
  #pending: ServedWatchEvent[] = [];
  /** Size of the pending events from `accept`. */
  #pendingBytes = 0;
  #isSending = false;
  #isClosed = false;
  /** An HTTP/2 response has no `destroyed` of its own. */
  #isDisconnected = false;
  /** Resolves the wait for `drain`, or ends it when the client disconnects. */
  #resume: () => void = () => undefined;
  #hasSentColumns = false;
  #failure: StatusError | undefined;
  #lastRevision: number;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#lastRevision = options.revision;
    options.response.on('drain', () => this.#resume());
    options.response.on('close', () => this.#disconnect());
  }

  /**
   * Called synchronously by the store, so it only queues. Ignores changes that the initial events include.
   */
  accept(change: StoreChange): void {
    if (change.revision <= this.#lastRevision) return;
    this.#lastRevision = change.revision;
    const event = eventFor(change, this.#options.selection);
    if (event === undefined) return;
    this.#pendingBytes += change.entry.bytes;
    if (this.#pending.length < maxPendingEvents && this.#pendingBytes < maxPendingBytes) this.push([event]);
    else this.close();
  }

  /** Sends the matching objects as initial events. Must be called before `push`. */
  begin(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    this.#initial = entries;
    this.#startSending();
  }

  push(events: readonly ServedWatchEvent[]): void {
    if (this.#isClosed || events.length === 0) return;
    for (const event of events) this.#pending.push(event);
    if (!this.#isSending) this.#startSending();
  }

  /** Ends the response after the pending events. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (!this.#isSending) this.#end();
  }

  /** Ends the response with an ERROR event and drops the pending events. */
  fail(error: unknown): void {
    if (this.#isClosed) return;
    this.#failure = statusErrorOf(error);
    this.#pending = [];
    this.close();
  }

  #disconnect(): void {
    this.#isDisconnected = true;
    this.#resume();
    this.close();
  }

  #startSending(): void {
    this.#isSending = true;
    this.#send()
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.#isSending = false;
        if (this.#isClosed) this.#end();
      });
  }

  async #send(): Promise<void> {
    // Yield once to the event loop, so that changes of one batch share a write.
    await new Promise(setImmediate);
    await this.#writeInitial();
    while (this.#pending.length > 0 && !this.#isDisconnected) {
      const batch = this.#pending;
      this.#pending = [];
      this.#pendingBytes = 0;
      await this.#writeParts(batch, (events) => events);
    }
  }

  async #writeInitial(): Promise<void> {
    const { selection } = this.#options;
    const entries = this.#initial;
    this.#initial = [];
    await this.#writeParts(entries, (some) =>
      some.filter(selection.matches).map((entry) => ({ type: 'ADDED', entry })),
    );
  }

  async #writeParts<T>(
    items: readonly T[],
    eventsOf: (part: readonly T[]) => readonly ServedWatchEvent[],
  ): Promise<void> {
    for (let start = 0; start < items.length && !this.#isDisconnected; start += objectsPerWrite) {
      if (start > 0) await new Promise(setImmediate);
      await this.#write(eventsOf(items.slice(start, start + objectsPerWrite)));
    }
  }

  async #write(events: readonly ServedWatchEvent[]): Promise<void> {
    if (events.length === 0) return;
    if (!this.#options.response.write(await this.#frames(events))) await this.#drained();
  }

  #end(): void {
    const { response } = this.#options;
    if (this.#failure === undefined) response.end();
    else response.end(errorFrame(this.#failure));
  }

  async #frames(batch: readonly ServedWatchEvent[]): Promise<string> {
    const { kind } = this.#options.presentation;
    const entries = batch.flatMap((event) => (event.type === 'BOOKMARK' ? [] : [event.entry]));
    const shown = (await showEntries(kind, entries)).values();
    const frames = batch.map((event) => {
      const object = event.type === 'BOOKMARK' ? bookmarkObject(kind, event) : shown.next().value;
      return object === undefined ? '' : this.#frame(event.type, object);
    });
    return frames.join('');
  }

  /** Encodes one event. Ages are relative to now, and only the first table has column definitions. */
  #frame(type: ServedWatchEvent['type'], shown: Shown): string {
    const { presentation, clock } = this.#options;
    const hasColumns = !this.#hasSentColumns;
    this.#hasSentColumns = true;
    return eventFrame(type, present({ ...presentation, nowMs: clock.now(), hasColumns }, shown));
  }

  /** Not a `Promise.race` with the disconnect: each race would leave a reaction on that promise until it settles. */
  #drained(): Promise<void> {
    if (this.#isDisconnected) return Promise.resolve();
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }
}
