import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallName } from './sdk-error.ts';

/** One call, or one attempt of it; `code` is the HTTP status or the name of the error. */
export interface ObservedCall extends CallName {
  readonly code: string;
  readonly seconds: number;
}

/** Observes calls and their attempts, for metrics. */
export interface CallObserver {
  /** @param retries attempts beyond the first */
  onCall(call: ObservedCall, retries: number): void;
  onAttempt(attempt: ObservedCall): void;
}

interface Handler {
  handle(...args: never[]): Promise<{ readonly response: { readonly statusCode?: number } }>;
}

interface ActiveCall extends CallName {
  readonly beforeAttempt?: (() => void) | undefined;
  attempts: number;
}

/** Tracks which call an HTTP request belongs to, which the HTTP layer of the SDK does not know. */
export class CallTracker {
  readonly #active = new AsyncLocalStorage<ActiveCall>();
  readonly #observer: CallObserver | undefined;

  constructor(observer: CallObserver | undefined) {
    this.#observer = observer;
  }

  /** @param beforeAttempt called before each attempt of the call; what it throws ends the call */
  async track<T>(name: CallName, call: () => Promise<T>, beforeAttempt?: () => void): Promise<T> {
    const active: ActiveCall = { ...name, beforeAttempt, attempts: 0 };
    const start = performance.now();
    const done = (code: string) =>
      this.#observer?.onCall(
        { ...name, code, seconds: secondsSince(start) },
        Math.max(0, active.attempts - 1),
      );
    return this.#active.run(active, async () => {
      try {
        const output = await call();
        done('200');
        return output;
      } catch (error) {
        done(codeOf(error));
        throw error;
      }
    });
  }

  /** Runs `beforeAttempt` of the active call, which throws if the call may no longer be sent. */
  check(): void {
    this.#active.getStore()?.beforeAttempt?.();
  }

  /** Wraps the request handler of a client, through which every attempt goes. */
  watch<H extends Handler>(handler: H): H {
    const original = handler.handle.bind(handler);
    handler.handle = async (...args: never[]) => {
      const active = this.#active.getStore();
      active?.beforeAttempt?.();
      if (active !== undefined) active.attempts += 1;
      const start = performance.now();
      try {
        const output = await original(...args);
        this.#attempted(active, String(output.response.statusCode ?? ''), start);
        return output;
      } catch (error) {
        this.#attempted(active, codeOf(error), start);
        throw error;
      }
    };
    return handler;
  }

  #attempted(active: ActiveCall | undefined, code: string, start: number): void {
    if (active === undefined) return;
    const { service, operation } = active;
    this.#observer?.onAttempt({ service, operation, code, seconds: secondsSince(start) });
  }
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}

function codeOf(error: unknown): string {
  const status = error instanceof Object && 'statusCode' in error ? Number(error.statusCode) : 0;
  if (status > 0) return String(status);
  return error instanceof Error ? error.name : 'Unknown';
}
