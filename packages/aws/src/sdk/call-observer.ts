import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallName } from './sdk-error.ts';

/** One call, or one attempt of it; `code` is the status of the answer or the name of the failure. */
export interface ObservedCall extends CallName {
  readonly code: string;
  readonly seconds: number;
}

/** Called with what goes over the wire, for the metrics on calls. */
export interface CallObserver {
  /** @param retries attempts beyond the first */
  onCall(call: ObservedCall, retries: number): void;
  onAttempt(attempt: ObservedCall): void;
}

interface Handler {
  handle(...args: never[]): Promise<{ readonly response: { readonly statusCode?: number } }>;
}

interface Underway extends CallName {
  readonly beforeAttempt?: (() => void) | undefined;
  attempts: number;
}

/** Knows which call a request belongs to: the HTTP layer of the SDK does not. */
export class CallTracker {
  readonly #underWay = new AsyncLocalStorage<Underway>();
  readonly #observer: CallObserver | undefined;

  constructor(observer: CallObserver | undefined) {
    this.#observer = observer;
  }

  /** @param beforeAttempt called before each attempt of the call; what it throws ends the call */
  async track<T>(name: CallName, call: () => Promise<T>, beforeAttempt?: () => void): Promise<T> {
    const underWay: Underway = { ...name, beforeAttempt, attempts: 0 };
    const start = performance.now();
    const done = (code: string) =>
      this.#observer?.onCall(
        { ...name, code, seconds: secondsSince(start) },
        Math.max(0, underWay.attempts - 1),
      );
    return this.#underWay.run(underWay, async () => {
      try {
        const answer = await call();
        done('200');
        return answer;
      } catch (error) {
        done(codeOf(error));
        throw error;
      }
    });
  }

  /** Asks whether the call that is under way where this is called may still go on. */
  check(): void {
    this.#underWay.getStore()?.beforeAttempt?.();
  }

  /** Lets attempts be seen: every request of a client goes through its handler. */
  watch<H extends Handler>(handler: H): H {
    const original = handler.handle.bind(handler);
    handler.handle = async (...args: never[]) => {
      const underWay = this.#underWay.getStore();
      underWay?.beforeAttempt?.();
      if (underWay !== undefined) underWay.attempts += 1;
      const start = performance.now();
      try {
        const answer = await original(...args);
        this.#attempted(underWay, String(answer.response.statusCode ?? ''), start);
        return answer;
      } catch (error) {
        this.#attempted(underWay, codeOf(error), start);
        throw error;
      }
    };
    return handler;
  }

  #attempted(underWay: Underway | undefined, code: string, start: number): void {
    if (underWay === undefined) return;
    const { service, operation } = underWay;
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
