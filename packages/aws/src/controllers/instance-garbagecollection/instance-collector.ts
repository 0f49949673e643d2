import { labelKeys, type NodeClaim } from '@karpenter/core/api';
import type { Log } from '@karpenter/core/ports';
import type { WatchCache } from '@karpenter/kube/cache';
import { type KubeWriter, kinds } from '@karpenter/kube/client';
import type { Clock, Instant, ReconcileResult, Singleton } from '@karpenter/kube/runtime';
import { yieldToEventLoop } from '@karpenter/kube/yielding';
import {
  couldBelongTo,
  type Ec2Instance,
  type InstanceProvider,
  orphansOf,
  providerIdOf,
} from '../../instances/index.ts';
import type { NodeWithProvider } from '../../interruption/index.ts';
import { inParallel } from '../../interruption/index.ts';
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

/**
 * Terminates instances without a NodeClaim: those of a launch whose response was lost, or whose NodeClaim is
 * gone. Deletes nodes that have neither.
 */
export class InstanceCollector implements Singleton {
  readonly name = awsControllerNames.instanceGarbageCollection;
  readonly #options: InstanceCollectorOptions;
  readonly #nodes: ByProviderId<NodeWithProvider>;
  #runs = 0;

  constructor(options: InstanceCollectorOptions) {
    this.#options = options;
    this.#nodes = new ByProviderId(options.nodes, ({ spec }) => spec?.providerID);
  }

  async reconcile(signal: AbortSignal): Promise<ReconcileResult> {
    const { claims, instances, clock } = this.#options;
    // Before the cache is synced every instance would look like an orphan.
    await claims.waitForSync(signal);
    // EC2 before the claims: see `orphansOf`.
    const listed = await instances.list();
    await yieldToEventLoop();
    const ours = claims.list().filter(isOurs);
    const claimed = new Set(ours.map(providerIdIn));
    const orphans = orphansOf(listed, claimed, clock.now()).filter(
      (orphan) => !ours.some((claim) => couldBelongTo(orphan, claim)),
    );
    await inParallel(orphans, launchTuning.parallelCollections, (orphan) => this.#collect(orphan));
    await yieldToEventLoop();
    await this.#deleteNodes(new Set([...claimed, ...listed.map(providerIdOf)]));
    this.#runs += 1;
    return { requeueAfter: this.#period };
  }

  /** Short at first: a new leader may find instances that the previous one left behind. */
  get #period() {
    const { instanceGarbageCollectionAtStart, instanceGarbageCollection } = awsReconcilePeriods;
    return this.#runs <= quickGarbageCollectionRuns
      ? instanceGarbageCollectionAtStart
      : instanceGarbageCollection;
  }

  async #collect(orphan: Ec2Instance): Promise<void> {
    const { instances, log } = this.#options;
    const providerId = providerIdOf(orphan);
    if ((await instances.delete(orphan.id)) === 'terminating') {
      log.debug('garbage collected cloudprovider instance', { 'provider-id': providerId });
    }
    for (const node of this.#nodes.of(providerId)) await this.#deleteNode(node);
  }

  /**
   * Deletes nodes whose instance was collected before they
   * joined, or by a process that stopped before it deleted them.
   */
  async #deleteNodes(known: ReadonlySet<string>): Promise<void> {
    const { nodes, clock } = this.#options;
    const left = nodes.list().filter((node) => isStaleNode(node, known, clock.now()));
    await inParallel(left, launchTuning.parallelCollections, (node) => this.#deleteNode(node));
  }

  async #deleteNode({ metadata, spec }: NodeWithProvider): Promise<void> {
    const { client, log } = this.#options;
    const { name = '' } = metadata ?? {};
    const wasThere = await unlessGone(client.delete(kinds.node, { name }));
    if (wasThere) log.debug('garbage collected node', { 'provider-id': spec?.providerID, Node: { name } });
  }
}

/**
 * A node of a NodePool without NodeClaim and instance. Not a young one: EC2 may not list its instance yet.
 */
function isStaleNode(
  { metadata, spec }: NodeWithProvider,
  known: ReadonlySet<string>,
  now: Instant,
): boolean {
  const { labels = {}, creationTimestamp = '', deletionTimestamp } = metadata ?? {};
  if (spec?.providerID === undefined || known.has(spec.providerID)) return false;
  const isOld = now - Date.parse(creationTimestamp) > launchTuning.garbageCollectionMinAge;
  return isOld && Object.hasOwn(labels, labelKeys.nodePool) && deletionTimestamp === undefined;
}

function providerIdIn({ status }: NodeClaim): string {
  return status?.providerID ?? '';
}
