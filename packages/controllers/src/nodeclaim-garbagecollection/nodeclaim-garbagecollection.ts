import {
  controllerNames,
  forcedDisruptionReasons,
  lifecycleTuning,
  type NodeClaim,
} from '@karpenter/core/api';
import { hasLostInstance, isManagedClaim } from '@karpenter/core/lifecycle';
import { type ReconcileResult, type Runnable, readsFrom, type Singleton } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import {
  disruptClaim,
  type PodsOnNodes,
  type ProviderIdIndex,
  watchPodsOnNodes,
  watchProviderIds,
} from '../instances/index.ts';

export type GarbageCollectionContext = Pick<
  ControllerContext,
  'client' | 'caches' | 'cloud' | 'meters' | 'log'
>;

/**
 * Deletes NodeClaims whose instances were terminated from outside, every two minutes. As in Karpenter a NodeClaim whose
 * Node is ready is kept, and one that never registered is left to its liveness timeout.
 */
export function nodeClaimGarbageCollection(context: GarbageCollectionContext): Runnable {
  const index = watchProviderIds(context.caches);
  const pods = watchPodsOnNodes(context.caches);
  return {
    singleton: new GarbageCollector(context, index, pods),
    sources: [readsFrom(index.claims), readsFrom(index.nodes), readsFrom(pods.cache)],
  };
}

class GarbageCollector implements Singleton {
  readonly name = controllerNames.nodeClaimGarbageCollection;
  readonly #context: GarbageCollectionContext;
  readonly #index: ProviderIdIndex;
  readonly #pods: PodsOnNodes;

  constructor(context: GarbageCollectionContext, index: ProviderIdIndex, pods: PodsOnNodes) {
    this.#context = context;
    this.#index = index;
    this.#pods = pods;
  }

  /**
   * Lists claims before instances. In the other order an instance launched in between would be missing from
   * the list, and its claim deleted.
   */
  async reconcile(): Promise<ReconcileResult> {
    const { cloud } = this.#context;
    const claims = this.#index.claims.list().filter((claim) => isManagedClaim(claim, cloud.nodeClasses));
    const listed = await cloud.list();
    const instances = new Set(
      listed.filter(({ isDeleting }) => !isDeleting).map(({ providerId }) => providerId),
    );
    const lost = claims.filter((claim) =>
      hasLostInstance({ claim, nodes: this.#index.nodesOf(claim), instances: instances }),
    );
    await inParallel(lost, lifecycleTuning.garbageCollectionParallelism, (claim) => this.#collect(claim));
    return { requeueAfter: lifecycleTuning.garbageCollectionPeriod };
  }

  async #collect(claim: NodeClaim): Promise<void> {
    const pods = this.#index.nodesOf(claim).flatMap(({ metadata }) => this.#pods.on(metadata.name));
    const reason = forcedDisruptionReasons.garbageCollected;
    if (!(await disruptClaim(this.#context, claim, { reason, pods }))) return;
    this.#context.log.debug('garbage collecting nodeclaim with no cloudprovider representation', {
      NodeClaim: { name: claim.metadata.name },
      'provider-id': claim.status?.providerID,
    });
  }
}

/** Runs at most `limit` items at a time. All items are tried; the first error is thrown at the end. */
async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const errors: unknown[] = [];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      await work(item).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (errors.length > 0) throw errors[0];
}
