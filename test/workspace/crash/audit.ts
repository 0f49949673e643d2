import { nodeClaims } from '@karpenter/controllers';
import { type Kind, type KubeClient, type KubeObject, kinds } from '@karpenter/kube/client';
import type { SimulatedCloud } from '@karpenter/sim/cloud';
import { type Findings, findingsOf, type Write, type Written } from './findings.ts';

/** Records every stored write of the relevant kinds, and every instance that was ever launched. */
export class Audit {
  readonly #client: KubeClient;
  readonly #ended = new AbortController();
  readonly #writes: Write[] = [];
  readonly #launched = new Set<string>();
  /** Instances that something other than the controllers terminated: by hand, or as a spot interruption. */
  readonly #lost = new Set<string>();
  readonly #follows: Promise<void>[] = [];

  constructor(client: KubeClient, cloud: SimulatedCloud) {
    this.#client = client;
    cloud.onInstance(({ id, stateReason = '' }) => {
      this.#launched.add(id);
      if (stateReason.startsWith('Server.')) this.#lost.add(id);
    });
    this.#follow(nodeClaims, (object) => ({ kind: 'NodeClaim', object }));
    this.#follow(kinds.node, (object) => ({ kind: 'Node', object }));
    this.#follow(kinds.pod, (object) => ({ kind: 'Pod', object }));
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#follows);
  }

  /** Announces that the test is about to terminate this instance. */
  excuse(id: string): void {
    this.#lost.add(id);
  }

  /** All violations up to now. */
  findings(budget: number): Findings {
    return findingsOf({ writes: this.#writes, launched: this.#launched, lost: this.#lost }, budget);
  }

  #follow<T extends KubeObject>(kind: Kind<T>, written: (object: T) => Written): void {
    this.#follows.push(this.#watch(kind, written));
  }

  async #watch<T extends KubeObject>(kind: Kind<T>, written: (object: T) => Written): Promise<void> {
    const { signal } = this.#ended;
    let { resourceVersion } = await this.#client.list(kind);
    while (!signal.aborted) {
      for await (const event of this.#client.watch(kind, { resourceVersion, signal })) {
        if (event.type === 'BOOKMARK') continue;
        resourceVersion = event.object.metadata?.resourceVersion ?? resourceVersion;
        const isRemoval = event.type === 'DELETED';
        this.#writes.push({ ...written(event.object), revision: Number(resourceVersion), isRemoval });
      }
    }
  }
}
