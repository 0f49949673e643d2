import type { Outgoing } from '../http/reply.ts';
import { type Presentation, present, showEntries } from '../reads/presentation.ts';
import type { Selection } from '../selection/index.ts';
import type { Change } from '../store/index.ts';
import { eventFor, eventFrame, type WatchEvent } from './watch-event.ts';
import type { ChangeSink } from './watch-hub.ts';

/** A reader that is this far behind is cut off; it comes back and goes on where it was, or lists again. */
const mostWaitingFrames = 65_536;

/** One watch: turns changes into frames as fast as its client reads them. */
export class Watcher implements ChangeSink {
  readonly #response: Outgoing;
  readonly #presentation: Presentation;
  readonly #selection: Selection;
  /** Resolves when the client is gone. */
  readonly #left: Promise<unknown>;
  /** Frames or events in order; events become frames when they are sent. */
  #waiting: (string | WatchEvent)[] = [];
  #isSending = false;
  #isClosed = false;
  #lastRevision: number;

  constructor(response: Outgoing, presentation: Presentation, selection: Selection, revision: number) {
    this.#response = response;
    this.#presentation = presentation;
    this.#selection = selection;
    this.#lastRevision = revision;
    this.#left = new Promise((resolve) => response.once('close', resolve));
    response.on('close', () => this.close());
  }

  accept(change: Change): void {
    if (change.revision <= this.#lastRevision) return;
    this.#lastRevision = change.revision;
    const event = eventFor(change, this.#selection);
    if (event !== undefined) this.push(event);
  }

  push(...frames: readonly (string | WatchEvent)[]): void {
    if (this.#isClosed) return;
    for (const frame of frames) this.#waiting.push(frame);
    if (this.#waiting.length > mostWaitingFrames) this.close();
    else if (!this.#isSending) void this.#send();
  }

  /** Ends the reply after what is waiting. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (!this.#isSending) this.#response.end();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    // One turn of the event loop: changes made together are sent together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0 && !this.#response.destroyed) {
      const batch = this.#waiting;
      this.#waiting = [];
      if (!this.#response.write(await this.#frames(batch))) await this.#drained();
    }
    this.#isSending = false;
    if (this.#isClosed) this.#response.end();
  }

  async #frames(batch: readonly (string | WatchEvent)[]): Promise<string> {
    const events = batch.filter((item) => typeof item !== 'string');
    const shown = await showEntries(
      this.#presentation.kind,
      events.map(({ entry }) => entry),
    );
    const frames = shown.map((object, index) =>
      eventFrame(events[index]?.type ?? 'MODIFIED', present(this.#presentation, object)),
    );
    let next = 0;
    return batch.map((item) => (typeof item === 'string' ? item : (frames[next++] ?? ''))).join('');
  }

  #drained(): Promise<unknown> {
    const drained = new Promise((resolve) => this.#response.once('drain', resolve));
    return Promise.race([drained, this.#left]);
  }
}
