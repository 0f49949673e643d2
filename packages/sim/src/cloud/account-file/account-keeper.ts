import { setImmediate } from 'node:timers/promises';
import { durationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import type { Durability } from '../calls/durability.ts';
import type { SavedAccount } from './saved-account.ts';

export interface AccountKeeperOptions {
  readonly clock: Clock;
  write(account: SavedAccount): Promise<void>;
  /** Called with a sentence when saves start to fail, and when they work again. */
  report(message: string): void;
}

/** Delay of a save that no call waits for, so that later changes share it. */
const lingerMs = durationMs(50);
const retryMs = durationMs(1_000);

/**
 * Saves the account whenever it changes. At most one save runs at a time, and all changes made before it
 * starts share it.
 */
export class AccountKeeper implements Durability {
  readonly #options: AccountKeeperOptions;
  readonly #ended = new AbortController();
  #source: (() => SavedAccount) | undefined;
  // Two counters instead of a dirty flag: a change during a save must not count as saved with it.
  #changes = 0;
  #saved = 0;
  #saving: Promise<void> | undefined;
  #isLingering = false;
  #isFailing = false;

  constructor(options: AccountKeeperOptions) {
    this.#options = options;
  }

  /**
   * Sets the function that returns the account. Until then nothing is saved, because there is no account yet.
   */
  attach(source: () => SavedAccount): void {
    this.#source = source;
    this.changed();
  }

  changed(): void {
    this.#changes += 1;
    if (this.#source !== undefined && !this.#isLingering) void this.#saveSoon();
  }

  async settled(): Promise<void> {
    const wanted = this.#changes;
    while (this.#saved < wanted && this.#source !== undefined) await this.#save();
  }

  /**
   * Saves the remaining changes and stops. A failed save is reported but does not keep the process from
   * exiting.
   */
  async close(): Promise<void> {
    this.#ended.abort();
    await this.settled().catch(() => undefined);
  }

  /** Retries until everything is saved: after a full disk no further change may come to trigger a save. */
  async #saveSoon(): Promise<void> {
    this.#isLingering = true;
    const { signal } = this.#ended;
    const { clock } = this.#options;
    while (this.#saved < this.#changes && !signal.aborted) {
      await clock.sleep(this.#isFailing ? retryMs : lingerMs, signal);
      if (!signal.aborted) await this.settled().catch(() => undefined);
    }
    this.#isLingering = false;
  }

  #save(): Promise<void> {
    this.#saving ??= this.#saveNow().finally(() => {
      this.#saving = undefined;
    });
    return this.#saving;
  }

  async #saveNow(): Promise<void> {
    // Yield once, so that all calls handled in the same event-loop iteration share this save.
    await setImmediate();
    const included = this.#changes;
    const account = this.#source?.();
    if (account === undefined) return;
    try {
      await this.#options.write(account);
    } catch (error) {
      this.#noteFailure(error);
      throw error;
    }
    this.#saved = included;
    if (this.#isFailing) this.#options.report('the simulated account is saved again');
    this.#isFailing = false;
  }

  #noteFailure(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    if (!this.#isFailing) this.#options.report(`the simulated account cannot be saved: ${why}; will retry`);
    this.#isFailing = true;
  }
}
