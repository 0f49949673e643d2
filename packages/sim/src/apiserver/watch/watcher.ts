import type { Clock } from '@karpenter/kube/runtime';
import type { Outgoing } from '../http/reply.ts';
import { type Presentation, present, type Shown, showEntries } from '../reads/presentation.ts';
import type { Selection } from '../selection/index.ts';
import { type StatusError, statusErrorOf } from '../status/status-error.ts';
import type { Change } from '../store/index.ts';
import { bookmarkObject, errorFrame, eventFor, eventFrame, type WatchEvent } from './watch-event.ts';
import type { ChangeSink } from './watch-hub.ts';

/** A reader that is this far behind is cut off; it comes back and goes on where it was, or lists again. */
const mostWaitingEvents = 65_536;

export interface WatcherOptions {
  readonly response: Outgoing;
  readonly presentation: Presentation;
  readonly selection: Selection;
  /** Changes up to here are not of interest. */
  readonly revision: number;
  readonly clock: Clock;
}

/** One watch: turns changes into frames as fast as its client reads them. */
export class Watcher implements ChangeSink {
  readonly #options: WatcherOptions;
  /** Resolves when the client is gone. */
  readonly #left: Promise<unknown>;
  /** In order; they become frames when they are sent. */
  #waiting: WatchEvent[] = [];
  #isSending = false;
  #isClosed = false;
  #hasSentColumns = false;
  #failure: StatusError | undefined;
  #lastRevision: number;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#lastRevision = options.revision;
    this.#left = new Promise((resolve) => options.response.once('close', resolve));
    options.response.on('close', () => this.close());
  }

  accept(change: Change): void {
    if (change.revision <= this.#lastRevision) return;
    this.#lastRevision = change.revision;
    const event = eventFor(change, this.#options.selection);
    if (event === undefined) return;
    if (this.#waiting.length < mostWaitingEvents) this.push([event]);
    else this.close();
  }

  push(events: readonly WatchEvent[]): void {
    if (this.#isClosed || events.length === 0) return;
    for (const event of events) this.#waiting.push(event);
    if (!this.#isSending) this.#startSending();
  }

  /** Ends the reply after what is waiting. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (!this.#isSending) this.#end();
  }

  /** Ends the reply with an ERROR event in place of what is waiting. */
  fail(error: unknown): void {
    if (this.#isClosed) return;
    this.#failure = statusErrorOf(error);
    this.#waiting = [];
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
    const { response } = this.#options;
    // One turn of the event loop: changes made together are sent together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0 && !response.destroyed) {
      const batch = this.#waiting;
      this.#waiting = [];
      if (!response.write(await this.#frames(batch))) await this.#drained();
    }
  }

  #end(): void {
    const { response } = this.#options;
    if (this.#failure === undefined) response.end();
    else response.end(errorFrame(this.#failure));
  }

  async #frames(batch: readonly WatchEvent[]): Promise<string> {
    const { kind } = this.#options.presentation;
    const entries = batch.flatMap((event) => (event.type === 'BOOKMARK' ? [] : [event.entry]));
    const shown = (await showEntries(kind, entries)).values();
    const frames = batch.map((event) => {
      const object = event.type === 'BOOKMARK' ? bookmarkObject(kind, event) : shown.next().value;
      return object === undefined ? '' : this.#frame(event.type, object);
    });
    return frames.join('');
  }

  /** Ages are as of now, and only the first table says what its columns are. */
  #frame(type: WatchEvent['type'], shown: Shown): string {
    const { presentation, clock } = this.#options;
    const hasColumns = !this.#hasSentColumns;
    this.#hasSentColumns = true;
    return eventFrame(type, present({ ...presentation, nowMs: clock.now(), hasColumns }, shown));
  }

  #drained(): Promise<unknown> {
    const drained = new Promise((resolve) => this.#options.response.once('drain', resolve));
    return Promise.race([drained, this.#left]);
  }
}
