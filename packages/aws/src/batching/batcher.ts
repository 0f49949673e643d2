import { CodedError } from '@karpenter/core/errors';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import { batchWorkers } from '../names/index.ts';
import { WorkerLimit } from './worker-limit.ts';

interface RequestBatchWindow {
  readonly name: string;
  /** A batch is sent once no call was added for this long… */
  readonly idle: DurationMs;
  /** …or it has been open for this long… */
  readonly max: DurationMs;
  /** …or this many calls wait. */
  readonly maxItems: number;
}

/** What one caller gets: its part of the response, or an error. */
export type Share<Output> = { readonly output: Output } | { readonly error: unknown };

export interface BatcherOptions<Input, Output> {
  readonly clock: Clock;
  readonly window: RequestBatchWindow;
  /** Inputs of one bucket are merged into one call. */
  readonly bucketOf: (input: Input) => string;
  /** Returns a share for each input, in the same order. */
  readonly execute: (inputs: readonly Input[]) => Promise<readonly Share<Output>[]>;
  readonly onBatch?: (batch: {
    readonly name: string;
    readonly size: number;
    readonly seconds: number;
  }) => void;
}

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

/** Merges calls that arrive close together into one request. */
export class RequestBatcher<Input, Output> {
  readonly #options: BatcherOptions<Input, Output>;
  readonly #workers = new WorkerLimit(batchWorkers);
  #buckets = new Map<string, Waiting<Input, Output>[]>();
  /** Calls of all buckets: they share one window and one limit. */
  #waiting = 0;
  #lastArrival: Instant = 0;
  #full = new AbortController();

  constructor(options: BatcherOptions<Input, Output>) {
    this.#options = options;
  }

  add(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      const bucket = this.#options.bucketOf(input);
      const waiting = this.#buckets.get(bucket) ?? [];
      waiting.push({ input, resolve, reject });
      this.#buckets.set(bucket, waiting);
      this.#waiting += 1;
      this.#lastArrival = this.#options.clock.now();
      if (this.#waiting === 1) void this.#open();
      if (this.#waiting >= this.#options.window.maxItems) this.#full.abort();
    });
  }

  async #open(): Promise<void> {
    const { clock, window, onBatch } = this.#options;
    const opened = clock.now();
    const { signal } = this.#full;
    while (!signal.aborted) {
      const end = Math.min(this.#lastArrival + window.idle, opened + window.max);
      if (clock.now() >= end) break;
      await clock.sleep(durationMs(end - clock.now()), signal);
    }
    const seconds = (clock.now() - opened) / 1000;
    for (const batch of this.#close()) {
      onBatch?.({ name: window.name, size: batch.length, seconds });
      void this.#workers.run(() => this.#execute(batch));
    }
  }

  #close(): readonly (readonly Waiting<Input, Output>[])[] {
    const batches = [...this.#buckets.values()];
    this.#buckets = new Map();
    this.#waiting = 0;
    this.#full = new AbortController();
    return batches;
  }

  async #execute(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    try {
      const shares = await this.#options.execute(batch.map(({ input }) => input));
      for (const [index, waiting] of batch.entries()) settle(waiting, shares[index]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

/** The response holds nothing for this caller. */
export function noResult(): CodedError {
  return new CodedError('aws-call-failed', 'error making call');
}

function settle<Input, Output>(waiting: Waiting<Input, Output>, share: Share<Output> | undefined): void {
  if (share === undefined) waiting.reject(noResult());
  else if ('error' in share) waiting.reject(share.error);
  else waiting.resolve(share.output);
}
