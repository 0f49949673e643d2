import type { ServerResponse } from 'node:http';
import { TouchedRows } from './touched-rows.ts';

/** How long a browser waits before it connects again, in milliseconds. */
const retryMs = 2_000;

/** A browser that reads the stream, and what it has missed while it read more slowly than the cluster changed. */
export class StreamClient {
  readonly #response: ServerResponse;
  #blockedSince: number | undefined;
  #missed = new TouchedRows();
  /** Everything has to be sent: nothing was yet, or too much was missed. */
  isNew = true;
  hasMissedHello = false;
  hasMissedDecisions = false;
  hasMissedStatus = false;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on('drain', () => {
      this.#blockedSince = undefined;
    });
    // A connection that breaks ends with `close`, whatever the reason.
    response.on('error', () => undefined);
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    response.write(`retry: ${retryMs}\n\n`);
  }

  /** Whether bytes wait that the browser has not taken yet. */
  get isBlocked(): boolean {
    return this.#blockedSince !== undefined;
  }

  isStalled(now: number, patienceMs: number): boolean {
    return this.#blockedSince !== undefined && now - this.#blockedSince > patienceMs;
  }

  write(bytes: Buffer, now: number): void {
    if (!this.#response.write(bytes)) this.#blockedSince ??= now;
  }

  /** Keeps the keys and not the rows, so that a slow reader takes little memory and gets each row once. */
  miss(touched: TouchedRows, mostRows: number): void {
    if (this.isNew) return;
    this.#missed.add(touched);
    if (this.#missed.size <= mostRows) return;
    this.isNew = true;
    this.#missed = new TouchedRows();
  }

  /** What was missed, together with what has just changed; undefined if nothing was missed. */
  takeMissed(touched: TouchedRows): TouchedRows | undefined {
    if (this.#missed.size === 0) return undefined;
    const missed = this.#missed;
    this.#missed = new TouchedRows();
    missed.add(touched);
    return missed;
  }

  forget(): void {
    this.#missed = new TouchedRows();
  }

  close(): void {
    this.#response.destroy();
  }
}
