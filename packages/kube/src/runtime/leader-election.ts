import { CodedError } from '@karpenter/core/errors';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import { isConflict, isNotFound } from '../client/api-error.ts';
import { kinds } from '../client/built-in-kinds.ts';
import type { ObjectKey } from '../client/kind.ts';
import type { KubeClient } from '../client/kube-client.ts';
import type { Clock, Instant } from './clock.ts';
import { startDeadline } from './deadline.ts';
import { heldLease, leaseDurationOf, releasedLease } from './lease-record.ts';

export interface ElectionOptions {
  /** Better one of its own: waiting behind other requests has lost many a lease. */
  readonly client: Pick<KubeClient, 'get' | 'create' | 'replace'>;
  readonly clock: Clock;
  readonly lease: Required<ObjectKey>;
  /** Who this candidate is, different from all others: `<pod>_<uuid>`. */
  readonly identity: string;
  /** How long others wait for a leader that is no longer heard of; defaults to 15 s. */
  readonly leaseDuration?: DurationMs;
  /** How long a leader tries to renew before it gives up, less than the lease lasts; defaults to 10 s. */
  readonly renewDeadline?: DurationMs;
  /** Between two tries; defaults to 2 s. */
  readonly retryPeriod?: DurationMs;
  /** Stops being a candidate, and the leader. */
  readonly signal: AbortSignal;
  readonly random?: () => number;
  /** Called with failed requests, which are retried. */
  readonly onError?: (error: unknown) => void;
  /** Called with the identity of the leader whenever it changes. */
  readonly onLeader?: (identity: string) => void;
}

/** What the leader knows of its lead. */
export interface Leadership {
  /** Raised when the lead is lost or to be given up. */
  readonly signal: AbortSignal;
  /** Whether nobody else can lead now, even if this process was held up so long that no signal came yet. */
  isHeld(): boolean;
}

/**
 * Waits until this candidate leads, then does the work while it does. Resolves when the work has ended after
 * the candidate was told to stop; the lease is then given back. Throws when the lead is lost: whoever was
 * leading must not go on, since another may.
 */
export async function lead(
  options: ElectionOptions,
  work: (leadership: Leadership) => Promise<void>,
): Promise<void> {
  const candidate = new Candidate(options);
  if (!(await candidate.acquire())) return candidate.release();
  const stop = new AbortController();
  const stopWork = () => stop.abort();
  options.signal.addEventListener('abort', stopWork);
  if (options.signal.aborted) stopWork();
  const over = new AbortController();
  const working = work({ signal: stop.signal, isHeld: () => candidate.isHeld() }).finally(() => over.abort());
  // A failure of the work is thrown below, once the lease has been seen to.
  working.catch(() => undefined);
  try {
    // Nobody else may lead before the last of the work is done.
    const lost = await candidate.renewUntil(over.signal);
    stop.abort(lost);
    await working;
    if (lost !== undefined) throw lost;
  } finally {
    options.signal.removeEventListener('abort', stopWork);
    await candidate.release();
  }
}

const usualLeaseDuration = durationMs(15_000);
const usualRenewDeadline = durationMs(10_000);
const usualRetryPeriod = durationMs(2000);
const mostReleases = 4;
/** Candidates wait up to this much longer than the period, so that they do not all ask at once. */
const jitter = 1.2;

class Candidate {
  readonly #options: ElectionOptions;
  readonly #leaseDuration: DurationMs;
  readonly #renewDeadline: DurationMs;
  readonly #retryPeriod: DurationMs;
  /** The Lease as last seen, and when it was first seen so: clocks of other machines are not trusted. */
  #seen: { readonly lease: Lease; readonly at: Instant } | undefined;
  #renewedAt: Instant | undefined;
  #renewFast = false;
  /** The lease was asked for, and no answer has come. */
  #isInDoubt = false;

  constructor(options: ElectionOptions) {
    this.#options = options;
    this.#leaseDuration = options.leaseDuration ?? usualLeaseDuration;
    this.#renewDeadline = options.renewDeadline ?? usualRenewDeadline;
    this.#retryPeriod = options.retryPeriod ?? usualRetryPeriod;
  }

  isHeld(): boolean {
    const { clock } = this.#options;
    return this.#renewedAt !== undefined && clock.now() < this.#renewedAt + this.#leaseDuration;
  }

  /** Whether it came to lead, rather than being told to stop. */
  async acquire(): Promise<boolean> {
    const { signal, clock, random = Math.random } = this.#options;
    while (!signal.aborted) {
      if (await this.#try(this.#renewDeadline)) return true;
      await clock.sleep(durationMs(this.#retryPeriod * (1 + random() * jitter)), signal);
    }
    return false;
  }

  /** Renews until it is over; the error is why the lead was lost before. */
  async renewUntil(over: AbortSignal): Promise<CodedError | undefined> {
    const { clock } = this.#options;
    while (!over.aborted) {
      await clock.sleep(durationMs(Math.min(this.#retryPeriod, Math.max(0, this.#timeLeft()))), over);
      if (over.aborted) return undefined;
      const left = this.#timeLeft();
      if (left > 0 && (await this.#try(durationMs(left), over))) continue;
      if (over.aborted) return undefined;
      const holder = this.#holder();
      if (this.#timeLeft() <= 0 || holder !== this.#options.identity) return this.#lost(holder);
    }
    return undefined;
  }

  /** Says that nobody leads, where this candidate does or may do. Failing to is harmless: the lease runs out by itself. */
  async release(): Promise<void> {
    const { clock, onError } = this.#options;
    if (!this.isHeld() && !this.#isInDoubt) return;
    this.#renewedAt = undefined;
    const deadline = startDeadline(clock, this.#renewDeadline);
    try {
      await this.#giveBack(deadline.signal);
    } catch (error) {
      onError?.(error);
    } finally {
      deadline.release();
    }
  }

  /** A write that was cut short may be carried out at any moment, and then what was just read is not what is there. */
  async #giveBack(signal: AbortSignal): Promise<void> {
    const { client, clock, identity } = this.#options;
    for (let tries = 1; ; tries += 1) {
      const lease = await this.#read(signal);
      if (lease?.spec?.holderIdentity !== identity) return;
      try {
        await client.replace(kinds.lease, releasedLease(lease, clock.now()), { signal });
        return;
      } catch (error) {
        if (!isConflict(error) || tries === mostReleases) throw error;
      }
    }
  }

  /** One try to take or renew the lease; whether it is this candidate's now. */
  async #try(within: DurationMs, outer: AbortSignal = this.#options.signal): Promise<boolean> {
    const { clock, onError } = this.#options;
    const deadline = startDeadline(clock, within, outer);
    try {
      return await this.#takeOrRenew(deadline.signal);
    } catch (error) {
      // Someone else may have written; the next try looks before it writes.
      this.#renewFast = false;
      if (!outer.aborted) onError?.(error);
      return false;
    } finally {
      deadline.release();
    }
  }

  async #takeOrRenew(signal: AbortSignal): Promise<boolean> {
    const { client, clock, identity, lease: key } = this.#options;
    // As long as nobody else wrote, the Lease as last written is good enough to write again.
    if (!this.#renewFast || this.#seen === undefined) this.#observe(await this.#read(signal));
    const seen = this.#seen;
    if (seen !== undefined && this.#isTaken(seen.lease, seen.at)) return false;
    const now = clock.now();
    const wanted = heldLease(seen?.lease ?? { metadata: { ...key } }, identity, now, this.#leaseDuration);
    this.#isInDoubt = true;
    const written =
      seen === undefined
        ? await client.create(kinds.lease, wanted, { signal })
        : await client.replace(kinds.lease, wanted, { signal });
    this.#isInDoubt = false;
    this.#observe(written);
    this.#renewedAt = now;
    this.#renewFast = true;
    return true;
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    const { client, lease } = this.#options;
    try {
      return await client.get(kinds.lease, lease, { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #observe(lease: Lease | undefined): void {
    const { clock, onLeader } = this.#options;
    const before = this.#holder();
    if (lease === undefined) this.#seen = undefined;
    else if (lease.metadata?.resourceVersion !== this.#seen?.lease.metadata?.resourceVersion) {
      this.#seen = { lease, at: clock.now() };
    }
    const holder = this.#holder();
    if (holder !== before && holder !== '') onLeader?.(holder);
  }

  /** Held by someone else who may still be alive. */
  #isTaken(lease: Lease, seenAt: Instant): boolean {
    const holder = lease.spec?.holderIdentity ?? '';
    if (holder === '' || holder === this.#options.identity) return false;
    return this.#options.clock.now() < seenAt + leaseDurationOf(lease);
  }

  #holder(): string {
    return this.#seen?.lease.spec?.holderIdentity ?? '';
  }

  #timeLeft(): number {
    return (this.#renewedAt ?? 0) + this.#renewDeadline - this.#options.clock.now();
  }

  #lost(holder: string): CodedError {
    const { lease, identity } = this.#options;
    const why =
      holder !== identity && holder !== ''
        ? `${holder} holds it`
        : `it could not be renewed within ${this.#renewDeadline / 1000} s`;
    this.#renewedAt = undefined;
    return new CodedError(
      'lease-lost',
      `lost the lease ${lease.namespace}/${lease.name}: ${why}; start again`,
    );
  }
}
