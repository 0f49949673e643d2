import type { KubeClient } from '@karpenter/kube/client';
import type { SimulatedCloud } from '@karpenter/sim/cloud';
import { type Findings, findingsOf, type Write } from './findings.ts';
import { followWrites } from './follow-writes.ts';

/** Records every stored write of the relevant kinds, and every instance that was ever launched. */
export class Audit {
  readonly #ended = new AbortController();
  readonly #writes: Write[] = [];
  readonly #launched = new Set<string>();
  /** Instances that something other than the controllers terminated: by hand, or as a spot interruption. */
  readonly #lost = new Set<string>();
  readonly #following: Promise<void>;

  constructor(client: KubeClient, cloud: SimulatedCloud) {
    cloud.onInstance(({ id, stateReason = '' }) => {
      this.#launched.add(id);
      if (stateReason.startsWith('Server.')) this.#lost.add(id);
    });
    this.#following = followWrites(client, this.#ended.signal, (write) => this.#writes.push(write));
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    await this.#following;
  }

  /** Announces that the test is about to terminate this instance. */
  excuse(id: string): void {
    this.#lost.add(id);
  }

  /** All violations up to now. */
  findings(budget: number): Findings {
    return findingsOf({ writes: this.#writes, launched: this.#launched, lost: this.#lost }, budget);
  }
}
