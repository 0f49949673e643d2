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
import { type Ailment, ailmentOf, isManagedNode, isWidespread } from '@karpenter/core/lifecycle';
import { terminationTime } from '@karpenter/core/termination';
import { durationMs } from '@karpenter/core/values';
import { type Controller, type ReconcileResult, type Runnable, readsFrom } from '@karpenter/kube/runtime';
import { nodeClaims, stateSources, writeObject } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { type CachedNode, disruptClaim, PodsOnNodes, ProviderIdIndex } from '../machines/index.ts';

export type HealthContext = Pick<
  ControllerContext,
  'client' | 'caches' | 'cloud' | 'recorder' | 'meters' | 'log' | 'clock' | 'settings'
>;

/** Replaces nodes that will not get well by themselves; to be run where the gate NodeRepair is on. */
export function nodeHealth(context: HealthContext): Runnable {
  const index = new ProviderIdIndex(context.caches);
  const pods = new PodsOnNodes(context.caches);
  const sources = [...index.nodeSources(), readsFrom(pods.cache)];
  return { controller: new HealthController(context, index, pods), sources };
}

/** A claim that changed under our hands is looked at again this soon. */
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
    const ailment = ailmentOf(node, cloud.repairPolicies);
    if (ailment === undefined) return undefined;
    const wait = ailment.repairAt - clock.now();
    if (wait > 0) return { requeueAfter: durationMs(wait) };
    return this.#repair(node, claim, ailment);
  }

  async #repair(node: CachedNode, claim: NodeClaim, ailment: Ailment): Promise<ReconcileResult | undefined> {
    const nodePool = claim.metadata.labels?.[labelKeys.nodePool];
    if (isWidespread(this.#peersOf(nodePool), this.#context.cloud.repairPolicies)) {
      this.#publishBlocked(node, claim, nodePool);
      return { requeueAfter: repairTuning.retry };
    }
    const due = await this.#endGrace(claim);
    if (due === undefined) return retry;
    const pods = this.#pods.on(node.metadata.name);
    const isDone = await disruptClaim(this.#context, due, forcedDisruptionReasons.unhealthy, pods);
    if (!isDone) return retry;
    this.#tellDone(due, ailment);
    return undefined;
  }

  /** The nodes that would share the cause: those of the pool, or all where the claim has none. */
  #peersOf(nodePool: string | undefined): readonly CachedNode[] {
    const nodes = this.#index.nodes.list();
    if (nodePool === undefined) return nodes;
    return nodes.filter(({ metadata }) => metadata.labels?.[labelKeys.nodePool] === nodePool);
  }

  /** Pods of a node that is broken are not waited for. Undefined where the claim changed meanwhile. */
  async #endGrace(claim: NodeClaim): Promise<NodeClaim | undefined> {
    const now = this.#context.clock.now();
    if ((terminationTime(claim) ?? Number.POSITIVE_INFINITY) <= now) return claim;
    const annotations = { [annotationKeys.terminationTimestamp]: formatTimestamp(now) };
    return writeObject(this.#context.client, nodeClaims, claim, { metadata: { annotations } });
  }

  /** CandidateMessage on the Node for itself, for its claim and for its pool, each of which counts repeats of its own. */
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

  #tellDone(claim: NodeClaim, { conditionType }: Ailment): void {
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
