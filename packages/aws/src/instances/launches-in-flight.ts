import type { Clock, Instant } from '@karpenter/kube/runtime';
import { launchTuning } from '../names/index.ts';

interface Launch {
  readonly began: Instant;
  /** Infinite while it lasts. */
  ended: Instant;
}

/**
 * Launches whose claims do not know their instances yet. A fleet request that is refused, lost and made again may
 * last for minutes, and the instances that it will answer with are older by then than those that nobody awaits.
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

  /** Whether an instance may be one that a launch is about to hand to its claim. */
  mayAwait({ launchTime }: { readonly launchTime: Instant }): boolean {
    const slack = launchTuning.garbageCollectionMinAge;
    const now = this.#clock.now();
    // After the end, the claim is still to be written; and EC2 has a clock of its own.
    for (const launch of this.#launches) if (launch.ended + slack <= now) this.#launches.delete(launch);
    const [oldest] = this.#launches;
    return oldest !== undefined && launchTime + slack >= oldest.began;
  }
}
