import {
  concurrency,
  concurrencyRanges,
  controllerNames,
  forcedDisruptionReasons,
  type NodeClaim,
} from '@karpenter/core/api';
import { expiryOf, isManagedClaim } from '@karpenter/core/lifecycle';
import { durationMs } from '@karpenter/core/values';
import {
  type Controller,
  changesOf,
  type ReconcileResult,
  type Runnable,
  readsFrom,
} from '@karpenter/kube/runtime';
import { nodeClaims } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import {
  disruptClaim,
  type PodsOnNodes,
  type ProviderIdIndex,
  watchPodsOnNodes,
  watchProviderIds,
} from '../instances/index.ts';

export type ExpirationContext = Pick<
  ControllerContext,
  'client' | 'caches' | 'cloud' | 'meters' | 'log' | 'clock' | 'settings'
>;

/**
 * Deletes NodeClaims older than `expireAfter`. Expiration is forceful: budgets do not apply and no
 * replacement is launched first. Pods are still drained, with PDBs and grace periods, when their Node
 * terminates.
 */
export function nodeClaimExpiration(context: ExpirationContext): Runnable {
  const index = watchProviderIds(context.caches);
  const pods = watchPodsOnNodes(context.caches);
  const controller = new ExpirationController(context, index, pods);
  return {
    controller,
    // Nodes and pods are read only to count the disrupted pods.
    sources: [changesOf(index.claims), readsFrom(index.nodes), readsFrom(pods.cache)],
  };
}

class ExpirationController implements Controller {
  readonly name = controllerNames.nodeClaimExpiration;
  readonly kind = nodeClaims;
  readonly concurrency: number;
  readonly #context: ExpirationContext;
  readonly #index: ProviderIdIndex;
  readonly #pods: PodsOnNodes;

  constructor(context: ExpirationContext, index: ProviderIdIndex, pods: PodsOnNodes) {
    this.#context = context;
    this.#index = index;
    this.#pods = pods;
    this.concurrency = concurrency(concurrencyRanges.other, context.settings.cpuRequests);
  }

  async reconcile(name: string): Promise<ReconcileResult | undefined> {
    const claim = this.#index.claims.get({ name });
    if (claim === undefined || !isManagedClaim(claim, this.#context.cloud.nodeClasses)) return undefined;
    const expiry = claim.metadata.deletionTimestamp === undefined ? expiryOf(claim) : undefined;
    if (expiry === undefined) return undefined;
    const now = this.#context.clock.now();
    if (now < expiry) return { requeueAfter: durationMs(expiry - now) };
    // A claim that has changed since it was read is left alone; its watch event triggers the next reconcile.
    await this.#expire(claim);
    return undefined;
  }

  async #expire(claim: NodeClaim): Promise<void> {
    const pods = this.#index.nodesOf(claim).flatMap(({ metadata }) => this.#pods.on(metadata.name));
    const isDone = await disruptClaim(this.#context, claim, {
      reason: forcedDisruptionReasons.expired,
      pods,
    });
    if (isDone) this.#context.log.debug('deleting expired nodeclaim');
  }
}
