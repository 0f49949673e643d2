import { CodedError } from '@karpenter/core/errors';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type { KubeClient, ObjectKey } from '../client/index.ts';
import { isAlreadyExists, isConflict, kinds } from '../client/index.ts';
import type { Clock } from '../clock/index.ts';
import { startDeadline } from './deadline.ts';
import type { LeaseFence } from './lease-fence.ts';
import { heldLease, leaseDurationOf, releasedLease } from './lease-record.ts';

/** Timing of leader election. All candidates for one lease must use the same. */
export interface ElectionTimes {
  /** Time after the last observed renewal before another candidate takes over. Defaults to 15 s. */
  readonly leaseDuration?: DurationMs;
  /**
   * Time after the last renewal in which the leader still writes. Defaults to 10 s. The rest of the lease duration is a
   * margin for requests that are in flight when the leader loses its lease.
   */
  readonly renewDeadline?: DurationMs;
  /** Time between two renewals, and between two attempts that failed. Defaults to 2 s. */
  readonly retryPeriod?: DurationMs;
}

export interface ElectionOptions extends ElectionTimes {
  /** A separate client without a fence: a renewal that queues behind other requests can come too late. */
  readonly client: Pick<KubeClient, 'find' | 'create' | 'replace'>;
  readonly clock: Clock;
  readonly lease: Required<ObjectKey>;
  /** Unique identity of this candidate: `<pod>_<uuid>`. */
  readonly identity: string;
  /** Open while this candidate holds the lease. Every write of `work` goes through it (ADR 0036). */
  readonly fence: LeaseFence;
  /** Ends the candidacy, and the work if this candidate leads. */
  readonly signal: AbortSignal;
  /** Called with failed requests, which are retried. */
  readonly onError?: (error: unknown) => void;
  /** Called with the identity of the leader whenever it changes. */
  readonly onLeader?: (identity: string) => void;
}

/**
 * Acquires the lease, then runs `work` and renews the lease. The signal of `work` aborts when leadership is lost or
 * `options.signal` aborts. After `options.signal` aborts, waits for `work` to end, releases the lease and resolves.
 * Throws as soon as leadership is lost: it does not wait for `work`, whose later writes the fence refuses.
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
  // Marks the rejection as handled; `await working` below throws it after the renewals have ended.
  working.catch(() => undefined);
  try {
    const lost = await candidate.renewUntil(over.signal);
    if (lost !== undefined) fence.close(lost);
    fence.closed.throwIfAborted();
    // The lease is released only after this, so that no other candidate leads while the work still runs.
    await working;
  } finally {
    signal.removeEventListener('abort', stopWork);
    fence.closed.removeEventListener('abort', abandon);
    await candidate.release();
  }
}

/** The values of Kubernetes' own components. */
export const defaultElectionTimes: Required<ElectionTimes> = {
  leaseDuration: durationMs(15_000),
  renewDeadline: durationMs(10_000),
  retryPeriod: durationMs(2_000),
};

/** Longest interval between two reads of a standby: a late read makes the takeover late (ADR 0036). */
const standbyPeriod = durationMs(500);
/** Shortest wait after losing a race for an expired lease, so that a server that refuses every write is not flooded. */
const minWait = durationMs(50);
const maxReleaseTries = 4;

/** Result of one attempt: we hold the lease, another candidate does, or the request failed. */
type Attempt = 'held' | 'taken' | 'failed';

class Candidate {
  readonly #options: ElectionOptions;
  readonly #leaseDuration: DurationMs;
  readonly #renewDeadline: DurationMs;
  readonly #retryPeriod: DurationMs;
  /**
   * The Lease as last read, and the monotonic time at which this version was first read. Expiry is computed from that
   * and not from `renewTime`, because the clocks of two hosts may differ and a wall clock may be set.
   */
  #seen: { readonly lease: Lease; readonly at: number } | undefined;
  /** Monotonic time just before the last successful renewal was sent: other candidates count from a later moment. */
  #renewedAt = Number.NEGATIVE_INFINITY;
  /** Whether a renewal may skip reading the Lease first, because this candidate wrote it last. */
  #renewFast = false;
  /** A write of the lease is in flight or its response was lost: this candidate may hold the lease without knowing. */
  #isUnanswered = false;

  constructor(options: ElectionOptions) {
    this.#options = options;
    const { leaseDuration, renewDeadline, retryPeriod } = { ...defaultElectionTimes, ...options };
    this.#leaseDuration = leaseDuration;
    this.#renewDeadline = renewDeadline;
    this.#retryPeriod = retryPeriod;
  }

  /** Waits for the lease. Returns false if the signal aborts first. */
  async acquire(): Promise<boolean> {
    const { signal, clock } = this.#options;
    while (!signal.aborted) {
      const attempt = await this.#try(this.#renewDeadline);
      if (attempt === 'held') return true;
      await clock.sleep(attempt === 'failed' ? this.#retryPeriod : this.#untilNextRead(), signal);
    }
    return false;
  }

  /** The next read is due after the standby period, or at the moment when the leader's lease expires. */
  #untilNextRead(): DurationMs {
    const left = this.#seen === undefined ? 0 : this.#leaseLeft(this.#seen);
    return durationMs(Math.min(Math.max(minWait, left), this.#retryPeriod, standbyPeriod));
  }

  /** Renews the lease until the signal aborts. Returns an error if leadership is lost before. */
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

  /** Clears the holder of the lease if this candidate may hold it. A failure only delays the next leader. */
  async release(): Promise<void> {
    const { clock, fence, onError } = this.#options;
    const wasHeld = fence.isOpen;
    // Before the lease is released, because another candidate may lead from that moment on.
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

  /** Retries on conflict: an aborted renewal may still reach the server between the read and the write. */
  async #giveBack(signal: AbortSignal): Promise<void> {
    const { client, clock, identity } = this.#options;
    for (let tries = 1; ; tries += 1) {
      const lease = await this.#read(signal);
      if (lease?.spec?.holderIdentity !== identity) return;
      try {
        await client.replace(kinds.lease, releasedLease(lease, clock.now()), { signal });
        return;
      } catch (error) {
        if (!isConflict(error) || tries === maxReleaseTries) throw error;
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
      // Another candidate may have written; the next attempt reads first.
      this.#renewFast = false;
      if (this.#isOvertaken(error)) return 'taken';
      if (!outer.aborted) onError?.(error);
      return 'failed';
    } finally {
      deadline.release();
    }
  }

  /** Standbys write at the same moment when a lease expires. A conflict then only means that another one was first. */
  #isOvertaken(error: unknown): boolean {
    const isOurs = this.#renewedAt !== Number.NEGATIVE_INFINITY;
    const isLate = !isOurs && (isConflict(error) || isAlreadyExists(error));
    if (isLate) this.#isUnanswered = false;
    return isLate;
  }

  async #takeOrRenew(signal: AbortSignal): Promise<boolean> {
    const { client, clock, fence, identity, lease: key } = this.#options;
    // A leader renews the Lease it wrote last without reading it; its resource version detects other writers.
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

  /** Whether another candidate holds the lease and it has not expired. */
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
