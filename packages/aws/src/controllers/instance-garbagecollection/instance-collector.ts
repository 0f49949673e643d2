import type { NodeClaim } from '@karpenter/core/api';
import { isMachineNotFound, type Log } from '@karpenter/core/ports';
import type { WatchCache } from '@karpenter/kube/cache';
import { type KubeWriter, kinds } from '@karpenter/kube/client';
import type { Again, Clock, Singleton } from '@karpenter/kube/runtime';
import { type Ec2Instance, type InstanceProvider, orphansOf, providerIdOf } from '../../instances/index.ts';
import type { NodeWithProvider } from '../../interruption/index.ts';
import { inParallel } from '../../interruption/parallel-work.ts';
import {
  awsControllerNames,
  awsReconcilePeriods,
  launchTuning,
  quickGarbageCollectionRuns,
} from '../../names/index.ts';
import { isOurs } from '../class-objects.ts';
import { ByProviderId } from '../provider-index.ts';
import { unlessGone } from '../writes.ts';

export interface InstanceCollectorOptions {
  readonly client: Pick<KubeWriter, 'delete'>;
  readonly claims: WatchCache<NodeClaim>;
  readonly nodes: WatchCache<NodeWithProvider>;
  readonly instances: Pick<InstanceProvider, 'list' | 'delete'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Ends instances that no NodeClaim knows of: launched by a call whose answer never came, or left by one that is gone. */
export class InstanceCollector implements Singleton {
  readonly name = awsControllerNames.instanceGarbageCollection;
  readonly #options: InstanceCollectorOptions;
  readonly #nodes: ByProviderId<NodeWithProvider>;
  #runs = 0;

  constructor(options: InstanceCollectorOptions) {
    this.#options = options;
    this.#nodes = new ByProviderId(options.nodes, ({ spec }) => spec?.providerID);
  }

  async reconcile(signal: AbortSignal): Promise<Again> {
    const { claims, instances, clock } = this.#options;
    // Before the first list is complete every instance would look like an orphan.
    await claims.waitForSync(signal);
    const listed = await instances.list();
    const claimed = new Set(claims.list().filter(isOurs).map(providerIdIn));
    const orphans = orphansOf(listed, claimed, clock.now());
    await inParallel(orphans, launchTuning.parallelCollections, (orphan) => this.#collect(orphan));
    this.#runs += 1;
    return { requeueAfter: this.#period };
  }

  /** Who has just become leader may find what the one before did not finish. */
  get #period() {
    const { instanceGarbageCollectionAtStart, instanceGarbageCollection } = awsReconcilePeriods;
    return this.#runs <= quickGarbageCollectionRuns
      ? instanceGarbageCollectionAtStart
      : instanceGarbageCollection;
  }

  async #collect(orphan: Ec2Instance): Promise<void> {
    const { client, instances, log } = this.#options;
    const providerId = providerIdOf(orphan);
    try {
      await instances.delete(orphan.id);
      log.debug('garbage collected cloudprovider instance', { 'provider-id': providerId });
    } catch (error) {
      if (!isMachineNotFound(error)) throw error;
    }
    for (const { metadata } of this.#nodes.of(providerId)) {
      const { name = '' } = metadata ?? {};
      const wasThere = await unlessGone(client.delete(kinds.node, { name }));
      if (wasThere) log.debug('garbage collected node', { 'provider-id': providerId, Node: name });
    }
  }
}

function providerIdIn({ status }: NodeClaim): string {
  return status?.providerID ?? '';
}
