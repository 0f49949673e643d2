import {
  concurrency,
  concurrencyRanges,
  controllerNames,
  formatTimestamp,
  lifecycleTuning,
  type NodeClaim,
  seconds,
  timestampMs,
} from '@karpenter/core/api';
import { isManagedClaim } from '@karpenter/core/lifecycle';
import { isDaemon, isTerminal, isTerminating } from '@karpenter/core/state';
import type { CacheChange } from '@karpenter/kube/cache';
import {
  type Controller,
  changesOf,
  type ReconcileResult,
  type Runnable,
  readsFrom,
} from '@karpenter/kube/runtime';
import { nodeClaims, stateSources, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import {
  type CachedPod,
  type ProviderIdIndex,
  watchPodsOnNodes,
  watchProviderIds,
} from '../instances/index.ts';

export type PodEventsContext = Pick<ControllerContext, 'client' | 'caches' | 'cloud' | 'clock' | 'settings'>;

/**
 * Writes `lastPodEventTime` to NodeClaims when a pod is bound to their node or ends there. Consolidation
 * waits for `consolidateAfter` after that time.
 */
export function nodeClaimPodEvents(context: PodEventsContext): Runnable {
  const index = watchProviderIds(context.caches);
  const pods = watchPodsOnNodes(context.caches);
  const controller = new PodEventsController(context, index);
  const sources = [changesOf(pods.cache, nodeOfEvent), readsFrom(index.nodes), readsFrom(index.claims)];
  return { controller, sources };
}

/**
 * The Node of a pod that was bound, became terminal or started to terminate; none for other changes. The
 * removal of the object is no further event, and pods of DaemonSets never count. As in Karpenter, bound pods of the
 * first list count as bound now, so a restart delays consolidation by `consolidateAfter`.
 */
function nodeOfEvent({ type, object, previous }: CacheChange<CachedPod>): readonly string[] {
  const { nodeName } = object.spec;
  if (nodeName === undefined || nodeName === '' || isDaemon(object)) return [];
  if (type === 'deleted') return [];
  const isPodEvent =
    previous === undefined ||
    previous.spec.nodeName !== nodeName ||
    (isTerminal(object) && !isTerminal(previous)) ||
    (isTerminating(object) && !isTerminating(previous));
  return isPodEvent ? [nodeName] : [];
}

/**
 * After a conflict: the claim in the cache was stale, and no further pod event may come to trigger a
 * reconcile.
 */
const retry: ReconcileResult = { requeueAfter: seconds(1) };

class PodEventsController implements Controller {
  readonly name = controllerNames.nodeClaimPodEvents;
  readonly kind = stateSources.Node;
  readonly concurrency: number;
  readonly #context: PodEventsContext;
  readonly #index: ProviderIdIndex;

  constructor(context: PodEventsContext, index: ProviderIdIndex) {
    this.#context = context;
    this.#index = index;
    this.concurrency = concurrency(concurrencyRanges.other, context.settings.cpuRequests);
  }

  async reconcile(nodeName: string): Promise<ReconcileResult | undefined> {
    const { client, clock, cloud } = this.#context;
    const node = this.#index.nodes.get({ name: nodeName });
    const claim = node === undefined ? undefined : this.#index.claimOf(node);
    if (claim === undefined || !isManagedClaim(claim, cloud.nodeClasses)) return undefined;
    if (this.#isRecent(claim)) return undefined;
    const status = { lastPodEventTime: formatTimestamp(clock.now()) };
    return (await writeStatus(client, nodeClaims, claim, status)) === undefined ? retry : undefined;
  }

  /** Pods come in bursts; as in Karpenter, one write within ten seconds is enough. */
  #isRecent({ status }: NodeClaim): boolean {
    const last = timestampMs(status?.lastPodEventTime);
    return last !== undefined && this.#context.clock.now() - last < lifecycleTuning.podEventsDedupe;
  }
}
