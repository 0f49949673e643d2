import { CodedError } from '@karpenter/core/errors';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type { KubeClient, ObjectKey } from '../client/index.ts';
import { isAlreadyExists, isConflict, kinds } from '../client/index.ts';
import type { Clock } from '../clock/index.ts';
import { startDeadline } from './deadline.ts';
import type { LeaseFence } from './lease-fence.ts';
import { heldLease, leaseDurationOf, releasedLease } from './lease-record.ts';

/** Of all candidates for one lease: they must agree on them. */
export interface ElectionTimes {
  /** How long others wait for a leader that stopped renewing. Defaults to 15 s. */
  readonly leaseDuration?: DurationMs;
  /**
   * How long after the last renewal a leader still writes. Defaults to 10 s. What is left of the lease duration is the
   * margin for requests that are under way when the leader loses its lease.
   */
  readonly renewDeadline?: DurationMs;
  /** Time between two renewals, and between two attempts that failed. Defaults to 2 s. */
  readonly retryPeriod?: DurationMs;
}

export interface ElectionOptions extends ElectionTimes {
  /** A client of its own, without a fence: waiting behind other requests has lost many a lease. */
  readonly client: Pick<KubeClient, 'find' | 'create' | 'replace'>;
  readonly clock: Clock;
  readonly lease: Required<ObjectKey>;
  /** Who this candidate is, different from all others: `<pod>_<uuid>`. */
  readonly identity: string;
  /** Opened with the lease and closed with it. All writes of the work pass it. */
  readonly fence: LeaseFence;
  /** Stops being a candidate, and the leader. */
  readonly signal: AbortSignal;
  /** Called with failed requests, which are retried. */
  readonly onError?: (error: unknown) => void;
  /** Called with the identity of the leader whenever it changes. */
  readonly onLeader?: (identity: string) => void;
}

/**
 * Waits until this candidate leads, then does the work while it does; the signal of the work aborts when the lead is lost
 * or to be given up. Resolves when the work has ended after the candidate was asked to stop; the lease is then given
 * back. Throws as soon as the lead is lost: work under way is abandoned, and the fence refuses what it still tries to
 * write.
 */
export async function lead(
  options: ElectionOptions,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { fence, signal } = options;
  const candidate = new Candidate(options);
  if (!(await candidate.acquire())) return candidate.release();
  const stop = new AbortController();
  const over = new AbortController();
  const stopWork = () => stop.abort();
  const abandon = () => {
    stop.abort(fence.closed.reason);
    over.abort();
  };
  signal.addEventListener('abort', stopWork);
  fence.closed.addEventListener('abort', abandon);
  if (signal.aborted) stopWork();
  const working = work(stop.signal).finally(() => over.abort());
  // A failure of the work is thrown below, once the lease has been seen to.
  working.catch(() => undefined);
  try {
    const lost = await candidate.renewUntil(over.signal);
    if (lost !== undefined) fence.close(lost);
    fence.closed.throwIfAborted();
    // Nobody else may lead before the last of the work is done.
    await working;
  } finally {
    signal.removeEventListener('abort', stopWork);
    fence.closed.removeEventListener('abort', abandon);
    await candidate.release();
  }
}

/** Those of Kubernetes' own components. */
export const defaultElectionTimes: Required<ElectionTimes> = {
  leaseDuration: durationMs(15_000),
  renewDeadline: durationMs(10_000),
  retryPeriod: durationMs(2_000),
};

/** How often a candidate looks whether the leader has renewed: each look that comes late makes a take-over late. */
const standbyPeriod = durationMs(500);
/** For a candidate that another was faster than: a server that refuses every write is not asked without pause. */
const shortestWait = durationMs(50);
const mostReleases = 4;

/** What came of one attempt: the lease is ours, somebody else's, or nobody knows. */
type Attempt = 'held' | 'taken' | 'failed';

class Candidate {
  readonly #options: ElectionOptions;
  readonly #leaseDuration: DurationMs;
  readonly #renewDeadline: DurationMs;
  readonly #retryPeriod: DurationMs;
  /**
   * The Lease as last seen, and when it was first seen so by the monotonic clock: neither the clocks of other machines
   * nor the time of day of this one are trusted.
   */
  #seen: { readonly lease: Lease; readonly at: number } | undefined;
  /** By the monotonic clock, when the last request that renewed the lease was about to be sent. */
  #renewedAt = Number.NEGATIVE_INFINITY;
  #renewFast = false;
  /** The lease was asked for, and no answer has come. */
  #isUnanswered = false;

  constructor(options: ElectionOptions) {
    this.#options = options;
    const { leaseDuration, renewDeadline, retryPeriod } = { ...defaultElectionTimes, ...options };
    this.#leaseDuration = leaseDuration;
    this.#renewDeadline = renewDeadline;
    this.#retryPeriod = retryPeriod;
  }

  /** Whether it came to lead, rather than being asked to stop. */
  async acquire(): Promise<boolean> {
    const { signal, clock } = this.#options;
    while (!signal.aborted) {
      const attempt = await this.#try(this.#renewDeadline);
      if (attempt === 'held') return true;
      await clock.sleep(attempt === 'failed' ? this.#retryPeriod : this.#untilNextLook(), signal);
    }
    return false;
  }

  /** The next look is due in half a second, or at the very moment when the lease of the leader runs out. */
  #untilNextLook(): DurationMs {
    const left = this.#seen === undefined ? 0 : this.#leaseLeft(this.#seen);
    return durationMs(Math.min(Math.max(shortestWait, left), this.#retryPeriod, standbyPeriod));
  }

  /** Renews until it is over; the error is why the lead was lost before. */
  async renewUntil(over: AbortSignal): Promise<CodedError | undefined> {
    const { clock } = this.#options;
    while (!over.aborted) {
      await clock.sleep(durationMs(Math.min(this.#retryPeriod, Math.max(0, this.#timeLeft()))), over);
      if (over.aborted) return undefined;
      const left = this.#timeLeft();
      if (left > 0 && (await this.#try(durationMs(left), over)) === 'held') continue;
      if (over.aborted) return undefined;
      const holder = this.#holder();
      if (this.#timeLeft() <= 0 || holder !== this.#options.identity) return this.#lost(holder);
    }
    return undefined;
  }

  /** Says that nobody leads, where this candidate does or may do. Failing to is harmless: the lease runs out by itself. */
  async release(): Promise<void> {
    const { clock, fence, onError } = this.#options;
    const wasHeld = fence.isOpen;
    fence.close();
    if (!wasHeld && !this.#isUnanswered) return;
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

  /** One attempt to take or renew the lease. */
  async #try(within: DurationMs, outer: AbortSignal = this.#options.signal): Promise<Attempt> {
    const { clock, onError } = this.#options;
    const deadline = startDeadline(clock, within, outer);
    try {
      return (await this.#takeOrRenew(deadline.signal)) ? 'held' : 'taken';
    } catch (error) {
      // Someone else may have written; the next attempt looks before it writes.
      this.#renewFast = false;
      if (this.#isOvertaken(error)) return 'taken';
      if (!outer.aborted) onError?.(error);
      return 'failed';
    } finally {
      deadline.release();
    }
  }

  /** Candidates that wait for the same lease ask for it at the same moment, and all but one are too late. */
  #isOvertaken(error: unknown): boolean {
    const isOurs = this.#renewedAt !== Number.NEGATIVE_INFINITY;
    const isLate = !isOurs && (isConflict(error) || isAlreadyExists(error));
    if (isLate) this.#isUnanswered = false;
    return isLate;
  }

  async #takeOrRenew(signal: AbortSignal): Promise<boolean> {
    const { client, clock, fence, identity, lease: key } = this.#options;
    // As long as nobody else wrote, the Lease as last written is good enough to write again.
    if (!this.#renewFast || this.#seen === undefined) this.#observe(await this.#read(signal));
    const seen = this.#seen;
    if (seen !== undefined && this.#isTaken(seen)) return false;
    const sentAt = clock.monotonic();
    const wanted = heldLease(seen?.lease ?? { metadata: { ...key } }, {
      identity,
      now: clock.now(),
      duration: this.#leaseDuration,
    });
    this.#isUnanswered = true;
    const written =
      seen === undefined
        ? await client.create(kinds.lease, wanted, { signal })
        : await client.replace(kinds.lease, wanted, { signal });
    this.#isUnanswered = false;
    this.#observe(written);
    this.#renewedAt = sentAt;
    this.#renewFast = true;
    fence.extend(sentAt + this.#renewDeadline);
    return true;
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    const { client, lease } = this.#options;
    return client.find(kinds.lease, lease, { signal });
  }

  #observe(lease: Lease | undefined): void {
    const { clock, onLeader } = this.#options;
    const before = this.#holder();
    if (lease === undefined) this.#seen = undefined;
    else if (lease.metadata?.resourceVersion !== this.#seen?.lease.metadata?.resourceVersion) {
      this.#seen = { lease, at: clock.monotonic() };
    }
    const holder = this.#holder();
    if (holder !== before && holder !== '') onLeader?.(holder);
  }

  /** Held by someone else who may still be alive. */
  #isTaken(seen: { readonly lease: Lease; readonly at: number }): boolean {
    const holder = seen.lease.spec?.holderIdentity ?? '';
    return holder !== '' && holder !== this.#options.identity && this.#leaseLeft(seen) > 0;
  }

  #leaseLeft({ lease, at }: { readonly lease: Lease; readonly at: number }): number {
    return at + leaseDurationOf(lease) - this.#options.clock.monotonic();
  }

  #holder(): string {
    return this.#seen?.lease.spec?.holderIdentity ?? '';
  }

  #timeLeft(): number {
    return this.#renewedAt + this.#renewDeadline - this.#options.clock.monotonic();
  }

  #lost(holder: string): CodedError {
    const { lease, identity } = this.#options;
    const why =
      holder !== identity && holder !== ''
        ? `${holder} holds it`
        : `it could not be renewed within ${this.#renewDeadline / 1000} s`;
    return new CodedError(
      'lease-lost',
      `lost the lease ${lease.namespace}/${lease.name}: ${why}; start again`,
    );
  }
}
