import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { Json } from '@karpenter/core/schema';
import { patienceMs } from './patience.ts';
import { valueAt } from './reply.ts';

export class WatchStream {
  readonly #response: IncomingMessage;
  readonly #events: Json[] = [];
  #rest = '';
  #isOver = false;
  #wake: () => void = () => {};

  constructor(response: IncomingMessage) {
    this.#response = response;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#accept(chunk));
    response.on('close', () => this.#end());
    response.on('error', () => this.#end());
  }

  /** The next event that is not a bookmark, as `ADDED name`. */
  async next(): Promise<string> {
    for (;;) {
      const event = await this.nextEvent();
      if (valueAt(event, 'type') !== 'BOOKMARK') {
        return `${valueAt(event, 'type')} ${valueAt(event, 'object.metadata.name')}`;
      }
    }
  }

  async nextEvent(): Promise<Json> {
    const deadline = Date.now() + patienceMs;
    while (this.#events.length === 0) {
      assert.ok(!this.#isOver, 'the watch ended before the event came');
      assert.ok(Date.now() < deadline, 'no event came');
      await this.#change(deadline);
    }
    const event = this.#events.shift();
    assert.ok(event !== undefined);
    return event;
  }

  /** Resolves when the server ends the watch. */
  async end(): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while (!this.#isOver) {
      assert.ok(Date.now() < deadline, 'the watch did not end');
      await this.#change(deadline);
    }
  }

  close(): void {
    this.#response.destroy();
  }

  #change(deadline: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, deadline - Date.now()));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #accept(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') this.#events.push(JSON.parse(line));
    this.#wake();
  }

  #end(): void {
    this.#isOver = true;
    this.#wake();
  }
}
