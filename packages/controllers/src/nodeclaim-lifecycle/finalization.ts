import {
  annotationKeys,
  events,
  labelKeys,
  lifecycleTuning,
  type NodeClaim,
  nodeClaimConditions,
  nodeClaimMetrics,
  terminationFinalizer,
  timestampMs,
} from '@karpenter/core/api';
import { conditionOf, isTrue, launchedClaim } from '@karpenter/core/lifecycle';
import { dueTerminationTime } from '@karpenter/core/termination';
import type { ReconcileResult } from '@karpenter/kube/runtime';
import { nodeClaims, stateSources, writeObject } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { deleteIfUidMatches, type ProviderIdIndex, terminateInstance } from '../instances/index.ts';
import type { LaunchAttempts } from './launch-attempts.ts';

export interface FinalizationContext
  extends Pick<ControllerContext, 'client' | 'cloud' | 'recorder' | 'meters' | 'log' | 'clock'> {
  readonly index: ProviderIdIndex;
}

/**
 * Finalizes a deleted NodeClaim: deletes its Nodes, which node.termination drains, then terminates the
 * instance, then removes the finalizer. Each reconcile does the next step that is possible.
 */
export class Finalization {
  readonly #context: FinalizationContext;
  readonly #attempts: LaunchAttempts;

  constructor(context: FinalizationContext, attempts: LaunchAttempts) {
    this.#context = context;
    this.#attempts = attempts;
  }

  async finalize(deleted: NodeClaim): Promise<ReconcileResult | undefined> {
    if (!(deleted.metadata.finalizers ?? []).includes(terminationFinalizer)) return undefined;
    // Before the Nodes are deleted: node.termination reads its deadline from this annotation.
    const claim = await this.#setDeadline(deleted);
    // While Nodes exist there is nothing to poll: their deletion triggers the next reconcile.
    if (claim === undefined || (await this.#deleteNodes(claim))) return undefined;
    const launched = this.#withLaunchedInstance(claim);
    // Without a provider ID there is nothing to terminate: the runner never reconciles a key twice at the
    // same time, so no launch of this claim is under way.
    if (launched.status?.providerID) {
      const termination = await terminateInstance(this.#context, launched);
      if (termination !== 'gone') return { requeueAfter: lifecycleTuning.instanceTerminationPoll };
    }
    await this.#removeFinalizer(launched);
    return undefined;
  }

  /**
   * Annotates the claim with the time at which its terminationGracePeriod ends. A timestamp that is already
   * there is never changed: node repair sets it to the current time. Undefined when the claim changed
   * meanwhile.
   */
  async #setDeadline(claim: NodeClaim): Promise<NodeClaim | undefined> {
    const { client, log, recorder } = this.#context;
    const time = dueTerminationTime(claim);
    if (time === undefined) return claim;
    const annotations = { [annotationKeys.terminationTimestamp]: time };
    const written = await writeObject(client, nodeClaims, claim, { metadata: { annotations } });
    if (written === undefined) return undefined;
    log.info('annotated nodeclaim', annotations);
    recorder.publish({
      definition: events.terminationGracePeriodExpiring,
      kind: nodeClaims,
      object: written,
      message: `All pods will be deleted by ${time}`,
    });
    return written;
  }

  /**
   * Deletes the Nodes of a claim, and returns whether any of them still exists. As in Karpenter, Nodes of a claim that
   * never registered are not deleted.
   */
  async #deleteNodes(claim: NodeClaim): Promise<boolean> {
    if (!isTrue(claim, nodeClaimConditions.registered)) return false;
    const nodes = this.#context.index.nodesOf(claim);
    const staying = nodes.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    await Promise.all(staying.map((node) => deleteIfUidMatches(this.#context, stateSources.Node, node)));
    // Nodes that are already being deleted count too: the instance must run until their drain has ended.
    return nodes.length > 0;
  }

  /**
   * The claim with the provider ID of its launch attempt. The status write after the launch may have failed; without
   * this the instance would run until garbage collection.
   */
  #withLaunchedInstance(claim: NodeClaim): NodeClaim {
    const attempt = this.#attempts.get(claim.metadata.uid ?? '');
    if (claim.status?.providerID || attempt?.state !== 'launched') return claim;
    return launchedClaim(claim, attempt.instance);
  }

  /**
   * Keeps the finalizers of others. A merge patch replaces the whole list, so the resource version protects
   * those that were added since the claim was read.
   */
  async #removeFinalizer(claim: NodeClaim): Promise<void> {
    const { client } = this.#context;
    const finalizers = (claim.metadata.finalizers ?? []).filter((each) => each !== terminationFinalizer);
    if ((await writeObject(client, nodeClaims, claim, { metadata: { finalizers } })) === undefined) return;
    // Not before the write: if that conflicts, the next reconcile still needs the provider ID of the attempt.
    this.#attempts.delete(claim.metadata.uid ?? '');
    this.#reportDeleted(claim);
  }

  #reportDeleted(claim: NodeClaim): void {
    const { log, meters, clock } = this.#context;
    const { labels = {}, deletionTimestamp } = claim.metadata;
    const { providerID, nodeName } = claim.status ?? {};
    log.info('deleted nodeclaim', {
      'provider-id': providerID,
      Node: nodeName === undefined ? undefined : { name: nodeName },
    });
    const nodepool = labels[labelKeys.nodePool] ?? '';
    const secondsSince = (time: string | undefined) =>
      (clock.now() - (timestampMs(time) ?? clock.now())) / 1000;
    const terminating = conditionOf(claim, nodeClaimConditions.instanceTerminating);
    if (terminating?.status === 'True') {
      const duration = secondsSince(terminating.lastTransitionTime);
      meters.observe(nodeClaimMetrics.instanceTerminationDuration, { nodepool }, duration);
    }
    meters.observe(nodeClaimMetrics.terminationDuration, { nodepool }, secondsSince(deletionTimestamp));
    meters.increment(nodeClaimMetrics.terminated, {
      nodepool,
      capacity_type: labels[labelKeys.capacityType] ?? '',
      zone: labels[labelKeys.zone] ?? '',
    });
  }
}
