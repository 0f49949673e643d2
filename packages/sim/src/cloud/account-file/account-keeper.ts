import { setImmediate } from 'node:timers/promises';
import { durationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import type { Durability } from '../calls/durability.ts';
import type { SavedAccount } from './saved-account.ts';

export interface AccountKeeperOptions {
  readonly clock: Clock;
  write(account: SavedAccount): Promise<void>;
  /** Called with a sentence when saving begins to fail, and when it works again. */
  report(message: string): void;
}

/** Changes that nobody waits for share a save with those that follow within this time. */
const lingerMs = durationMs(50);
const retryMs = durationMs(1_000);

/** Saves the account when it changes: one save at a time, shared by all that changed before it began. */
export class AccountKeeper implements Durability {
  readonly #options: AccountKeeperOptions;
  readonly #ended = new AbortController();
  #source: (() => SavedAccount) | undefined;
  #changes = 0;
  #saved = 0;
  #saving: Promise<void> | undefined;
  #isLingering = false;
  #isFailing = false;

  constructor(options: AccountKeeperOptions) {
    this.#options = options;
  }

  /** Where the account comes from. Nothing is saved before that. */
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

  /** Saves what is not saved yet and stops. A failure is reported and does not keep the process from ending. */
  async close(): Promise<void> {
    this.#ended.abort();
    await this.settled().catch(() => undefined);
  }

  /** Goes on until all is saved: a full disk must not need another change to be tried again. */
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
    // One turn of the event loop, so that all calls of this turn share the save.
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
