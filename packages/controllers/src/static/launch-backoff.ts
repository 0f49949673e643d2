import { lifecycleTuning, type NodePool } from '@karpenter/core/api';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import { backoffDelay, type Clock, type Instant } from '@karpenter/kube/runtime';

interface PoolLaunches {
  /** The generation of the NodePool. A changed spec may launch, so it resets the backoff. */
  readonly generation: number | undefined;
  readonly failures: number;
  readonly retryAt: Instant;
  /** Names of NodeClaims that were created and have neither launched nor failed yet. */
  readonly launching: ReadonlySet<string>;
}

/** `failed` when the NodeClaim was deleted before it had an instance. */
export type LaunchOutcome = 'launching' | 'launched' | 'failed';

const backoff = { initial: lifecycleTuning.minBackoff, max: lifecycleTuning.maxBackoff };

/**
 * Delays new NodeClaims of a static NodePool whose last ones failed to launch. A NodeClaim without capacity
 * is deleted at once, and its deletion triggers the next reconcile: without a delay the pool would create and
 * delete NodeClaims as fast as the API server allows.
 */
export class LaunchBackoff {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #pools = new Map<string, PoolLaunches>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Records the outcomes of the NodeClaims created last; returns how long to wait before creating more. */
  observe(nodePool: NodePool, outcomeOf: (claim: string) => LaunchOutcome): DurationMs {
    const launches = this.#launchesOf(nodePool);
    const outcomes = new Map([...launches.launching].map((claim) => [claim, outcomeOf(claim)]));
    const launching = new Set([...launches.launching].filter((claim) => outcomes.get(claim) === 'launching'));
    const results = new Set(outcomes.values());
    if (results.has('failed')) this.#set(nodePool, { ...this.#failed(launches), launching });
    else if (results.has('launched'))
      this.#set(nodePool, { ...this.#succeeded(launches, launching), launching });
    return durationMs(Math.max(0, this.#launchesOf(nodePool).retryAt - this.#clock.now()));
  }

  /** Records NodeClaims that were just created, whose outcome the next calls of `observe` look for. */
  created(nodePool: NodePool, claims: readonly string[]): void {
    const launches = this.#launchesOf(nodePool);
    const launching = new Set([...launches.launching, ...claims]);
    this.#set(nodePool, { ...launches, launching });
  }

  /** Drops a NodePool that was deleted. */
  forget(nodePool: string): void {
    this.#pools.delete(nodePool);
  }

  #launchesOf({ metadata: { name, generation } }: NodePool): PoolLaunches {
    const found = this.#pools.get(name);
    if (found !== undefined && found.generation === generation) return found;
    return { generation, failures: 0, retryAt: 0, launching: new Set() };
  }

  #set({ metadata }: NodePool, launches: PoolLaunches): void {
    this.#pools.set(metadata.name, launches);
  }

  /** Resets the failures only when every NodeClaim of an attempt has launched, not when some have. */
  #succeeded(launches: PoolLaunches, launching: ReadonlySet<string>): PoolLaunches {
    const isComplete = launching.size === 0 && this.#clock.now() >= launches.retryAt;
    return isComplete ? { ...launches, failures: 0 } : launches;
  }

  /** NodeClaims that fail during the backoff belong to the attempt that started it, and do not extend it. */
  #failed(launches: PoolLaunches): PoolLaunches {
    const now = this.#clock.now();
    if (now < launches.retryAt) return launches;
    return {
      ...launches,
      failures: launches.failures + 1,
      retryAt: now + backoffDelay(backoff, launches.failures),
    };
  }
}
