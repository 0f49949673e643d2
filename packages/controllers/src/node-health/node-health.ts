import {
  annotationKeys,
  concurrency,
  concurrencyRanges,
  controllerNames,
  events,
  forcedDisruptionReasons,
  formatTimestamp,
  labelKeys,
  metricLabelValue,
  type NodeClaim,
  nodeClaimMetrics,
  repairTuning,
  seconds,
} from '@karpenter/core/api';
import {
  isManagedNode,
  isWidespread,
  type UnhealthyCondition,
  unhealthyConditionOf,
} from '@karpenter/core/lifecycle';
import { terminationTime } from '@karpenter/core/termination';
import { durationMs } from '@karpenter/core/values';
import { type Controller, type ReconcileResult, type Runnable, readsFrom } from '@karpenter/kube/runtime';
import { nodeClaims, stateSources, writeObject } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import {
  type CachedNode,
  disruptClaim,
  type PodsOnNodes,
  type ProviderIdIndex,
  watchPodsOnNodes,
  watchProviderIds,
} from '../instances/index.ts';

export type HealthContext = Pick<
  ControllerContext,
  'client' | 'caches' | 'cloud' | 'recorder' | 'meters' | 'log' | 'clock' | 'settings'
>;

/**
 * Deletes the NodeClaims of nodes whose conditions match a repair policy of the cloud provider for its
 * toleration duration. Runs only with the feature gate NodeRepair.
 */
export function nodeHealth(context: HealthContext): Runnable {
  const index = watchProviderIds(context.caches);
  const pods = watchPodsOnNodes(context.caches);
  const sources = [...index.nodeSources(), readsFrom(pods.cache)];
  return { controller: new HealthController(context, index, pods), sources };
}

/** For a claim that changed between the read and the write. */
const retry: ReconcileResult = { requeueAfter: seconds(1) };

class HealthController implements Controller {
  readonly name = controllerNames.nodeHealth;
  readonly kind = stateSources.Node;
  readonly concurrency: number;
  readonly #context: HealthContext;
  readonly #index: ProviderIdIndex;
  readonly #pods: PodsOnNodes;

  constructor(context: HealthContext, index: ProviderIdIndex, pods: PodsOnNodes) {
    this.#context = context;
    this.#index = index;
    this.#pods = pods;
    this.concurrency = concurrency(concurrencyRanges.other, context.settings.cpuRequests);
  }

  async reconcile(name: string): Promise<ReconcileResult | undefined> {
    const { cloud, clock } = this.#context;
    const node = this.#index.nodes.get({ name });
    if (node === undefined || !isManagedNode(node, cloud.nodeClasses)) return undefined;
    const claim = this.#index.claimOf(node);
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return undefined;
    const unhealthy = unhealthyConditionOf(node, cloud.repairPolicies);
    if (unhealthy === undefined) return undefined;
    const wait = unhealthy.repairAt - clock.now();
    if (wait > 0) return { requeueAfter: durationMs(wait) };
    return this.#repair(node, claim, unhealthy);
  }

  /**
   * Deletes the claim without waiting for pods. As in Karpenter it deletes nothing while more than 20 % of the
   * NodePool, or of the cluster for a claim without one, is unhealthy: that points to a cause that new nodes
   * would share.
   */
  async #repair(
    node: CachedNode,
    claim: NodeClaim,
    unhealthy: UnhealthyCondition,
  ): Promise<ReconcileResult | undefined> {
    const nodePool = claim.metadata.labels?.[labelKeys.nodePool];
    if (isWidespread(this.#peersOf(nodePool), this.#context.cloud.repairPolicies)) {
      this.#publishBlocked(node, claim, nodePool);
      return { requeueAfter: repairTuning.retry };
    }
    // Before the deletion: finalization keeps a timestamp that is there, and would otherwise grant the whole
    // terminationGracePeriod.
    const expiring = await this.#endGracePeriod(claim);
    if (expiring === undefined) return retry;
    const pods = this.#pods.on(node.metadata.name);
    const isDone = await disruptClaim(this.#context, expiring, {
      reason: forcedDisruptionReasons.unhealthy,
      pods,
    });
    if (!isDone) return retry;
    this.#reportDeleted(expiring, unhealthy);
    return undefined;
  }

  /**
   * The nodes among which the unhealthy share is computed: those of the NodePool, or all for a claim without
   * one.
   */
  #peersOf(nodePool: string | undefined): readonly CachedNode[] {
    const nodes = this.#index.nodes.list();
    if (nodePool === undefined) return nodes;
    return nodes.filter(({ metadata }) => metadata.labels?.[labelKeys.nodePool] === nodePool);
  }

  /**
   * Sets the termination timestamp of the claim to now, so that its pods are deleted rather than evicted.
   * Undefined when the claim changed meanwhile.
   */
  async #endGracePeriod(claim: NodeClaim): Promise<NodeClaim | undefined> {
    const now = this.#context.clock.now();
    if ((terminationTime(claim) ?? Number.POSITIVE_INFINITY) <= now) return claim;
    const annotations = { [annotationKeys.terminationTimestamp]: formatTimestamp(now) };
    return writeObject(this.#context.client, nodeClaims, claim, { metadata: { annotations } });
  }

  /**
   * Publishes one event each for Node, NodeClaim and NodePool, all on the Node, as Karpenter does; `about` makes
   * their deduplication keys differ. The typo in the text for the cluster is Karpenter's.
   */
  #publishBlocked(node: CachedNode, claim: NodeClaim, nodePool: string | undefined): void {
    const message =
      nodePool === undefined
        ? 'more then 20% nodes are unhealthy in the cluster'
        : 'more than 20% nodes are unhealthy in the nodepool';
    const pool = nodePool === undefined ? [] : [nodePool];
    for (const about of [node.metadata.uid ?? '', claim.metadata.uid ?? '', ...pool]) {
      this.#context.recorder.publish({
        definition: events.nodeRepairBlocked,
        kind: stateSources.Node,
        object: node,
        message,
        parts: { about },
      });
    }
  }

  #reportDeleted(claim: NodeClaim, { conditionType }: UnhealthyCondition): void {
    const { log, meters } = this.#context;
    const { name, labels = {} } = claim.metadata;
    log.info('deleting unhealthy node', { NodeClaim: { name } });
    meters.increment(nodeClaimMetrics.unhealthyDisrupted, {
      condition: metricLabelValue(conditionType),
      nodepool: labels[labelKeys.nodePool] ?? '',
      capacity_type: labels[labelKeys.capacityType] ?? '',
      image_id: claim.status?.imageID ?? '',
    });
  }
}
