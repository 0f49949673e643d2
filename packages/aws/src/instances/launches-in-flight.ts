import type { Clock, Instant } from '@karpenter/kube/runtime';
import { launchTuning } from '../names/index.ts';

interface Launch {
  readonly began: Instant;
  /** Infinity while it is in progress. */
  ended: Instant;
}

/**
 * Launches whose claims have no provider ID yet. A fleet request that is throttled and retried may take minutes, so its
 * instances may be older than the age at which garbage collection terminates unclaimed instances (ADR 0022).
 */
export class LaunchesInFlight {
  readonly #clock: Pick<Clock, 'now'>;
  /** In the order in which they began. */
  readonly #launches = new Set<Launch>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    const launch: Launch = { began: this.#clock.now(), ended: Number.POSITIVE_INFINITY };
    this.#launches.add(launch);
    try {
      return await work();
    } finally {
      launch.ended = this.#clock.now();
    }
  }

  /** Whether a launch may be about to assign the instance to its claim. */
  mayAwait({ launchTime }: { readonly launchTime: Instant }): boolean {
    const slack = launchTuning.garbageCollectionMinAge;
    const now = this.#clock.now();
    // The slack covers the write of the claim's status after the launch, and a difference between EC2's clock and ours.
    for (const launch of this.#launches) if (launch.ended + slack <= now) this.#launches.delete(launch);
    const [oldest] = this.#launches;
    return oldest !== undefined && launchTime + slack >= oldest.began;
  }
}
