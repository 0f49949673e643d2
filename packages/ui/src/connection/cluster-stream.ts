import type { StreamEvents } from '@karpenter/core/page-api';
import type { ClusterStore } from '../store/index.ts';

/** The part of `EventSource` that is used. */
export interface StreamSource {
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void;
  close(): void;
}

/** The time and timers of the browser, as a port for tests. */
interface StreamTimers {
  now(): number;
  /** Returns a function that cancels. */
  after(delayMs: number, run: () => void): () => void;
}

/** The server sends a status every 10 seconds; after this long without one, what the page shows is stale. */
export const staleAfterMs = 25_000;
const firstRetryMs = 500;
const maxRetryMs = 15_000;

interface StreamOptions {
  readonly store: ClusterStore;
  readonly open: () => StreamSource;
  readonly timers: StreamTimers;
}

/**
 * Feeds the store from server-sent events. Opens the stream again after an error, with backoff, and also when it is
 * silent for so long that it must be broken. Each stream begins with all rows, so nothing is lost between two.
 */
export class ClusterStream {
  readonly #options: StreamOptions;
  #source: StreamSource | undefined;
  #retryMs = firstRetryMs;
  #cancel = () => {};
  #heardAt: number;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#heardAt = options.timers.now();
  }

  start(): void {
    const source = this.#options.open();
    this.#source = source;
    const { store } = this.#options;
    this.#listen(source, 'hello', (hello) => store.applyHello(hello, this.#options.timers.now()));
    this.#listen(source, 'rows', (rows) => store.applyRows(rows));
    this.#listen(source, 'decisions', (decisions) => store.applyDecisions(decisions));
    this.#listen(source, 'status', (status) => store.applyStatus(status));
    source.addEventListener('error', () => {
      if (this.#source === source) this.#reopen();
    });
    this.#watchSilence();
  }

  stop(): void {
    this.#cancel();
    this.#source?.close();
    this.#source = undefined;
  }

  /** Milliseconds since the server was last heard. */
  get silence(): number {
    return this.#options.timers.now() - this.#heardAt;
  }

  #listen<Name extends keyof StreamEvents>(
    source: StreamSource,
    name: Name,
    apply: (data: StreamEvents[Name]) => void,
  ): void {
    source.addEventListener(name, ({ data }) => {
      if (this.#source !== source) return;
      this.#heardAt = this.#options.timers.now();
      this.#retryMs = firstRetryMs;
      this.#watchSilence();
      apply(JSON.parse(String(data)) as StreamEvents[Name]);
    });
  }

  #watchSilence(): void {
    this.#cancel();
    this.#cancel = this.#options.timers.after(staleAfterMs, () => this.#reopen());
  }

  #reopen(): void {
    this.stop();
    this.#options.store.lose();
    this.#cancel = this.#options.timers.after(this.#retryMs, () => this.start());
    this.#retryMs = Math.min(maxRetryMs, this.#retryMs * 2);
  }
}
