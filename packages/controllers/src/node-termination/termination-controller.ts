import {
  annotationKeys,
  concurrency,
  concurrencyRanges,
  controllerNames,
  disruptedTaint,
  events,
  labelKeys,
  type NodeClaim,
  nodeMetrics,
  terminationFinalizer,
  terminationTuning,
  timestampMs,
} from '@karpenter/core/api';
import { isManagedNode, isReady } from '@karpenter/core/lifecycle';
import { missingTerminationMarks, terminationTime } from '@karpenter/core/termination';
import type { Controller, ReconcileResult } from '@karpenter/kube/runtime';
import { nodeClaims, stateSources, writeObject } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { type CachedNode, deleteIfUidMatches, type ProviderIdIndex } from '../instances/index.ts';
import type { TerminatingNode, TerminationStep } from './termination-step.ts';

export interface TerminationParts
  extends Pick<ControllerContext, 'client' | 'cloud' | 'recorder' | 'meters' | 'log' | 'clock' | 'settings'> {
  readonly index: ProviderIdIndex;
  /** In order: a step runs once all steps before it are done. */
  readonly steps: readonly TerminationStep[];
}

/**
 * Terminates deleted Nodes: taints the Node, deletes its NodeClaim, runs the steps and removes the finalizer.
 * Every reconcile starts over, and sees from the objects what is done already, so that a restart loses nothing.
 */
export class TerminationController implements Controller {
  readonly name = controllerNames.nodeTermination;
  readonly kind = stateSources.Node;
  readonly concurrency: number;
  readonly backoff = { initial: terminationTuning.minBackoff, max: terminationTuning.maxBackoff };
  readonly #parts: TerminationParts;

  constructor(parts: TerminationParts) {
    this.#parts = parts;
    this.concurrency = concurrency(concurrencyRanges.termination, parts.settings.cpuRequests);
  }

  async reconcile(name: string): Promise<ReconcileResult | undefined> {
    const { cloud, index } = this.#parts;
    const node = index.nodes.get({ name });
    if (node === undefined || !isTerminating(node) || !isManagedNode(node, cloud.nodeClasses))
      return undefined;
    const claim = index.claimOf(node);
    // First, because the terminationGracePeriod runs from the deletion of the claim: nodeclaim.lifecycle then
    // computes the deadline from it.
    if (claim !== undefined && claim.metadata.deletionTimestamp === undefined) {
      await deleteIfUidMatches(this.#parts, nodeClaims, claim);
    }
    if (await this.#isInstanceGone(node)) return this.#removeFinalizer(node, claim);
    const deadline = terminationTime(claim);
    if (claim !== undefined && deadline !== undefined) this.#publishDeadline(node, claim);
    // Before the drain: kube-scheduler could otherwise bind the successors of evicted pods to this Node. The
    // steps get the Node as written, since the removal of the finalizer is guarded by its resource version.
    const tainted = await this.#taint(node, claim);
    return tainted === undefined ? undefined : this.#runSteps({ node: tainted, claim, deadline });
  }

  /**
   * Whether the instance no longer exists. Such a Node is released without a drain: no kubelet is left to
   * stop its pods. As in Karpenter only Nodes that are not ready are looked up, which saves a call to the cloud
   * provider for all others.
   */
  async #isInstanceGone(node: CachedNode): Promise<boolean> {
    const providerId = node.spec?.providerID ?? '';
    if (isReady(node) || providerId === '') return false;
    // An error is thrown: taking it for a missing instance would skip the drain of an instance that runs.
    return (await this.#parts.cloud.get(providerId)) === undefined;
  }

  #publishDeadline(node: CachedNode, { metadata }: NodeClaim): void {
    const time = metadata.annotations?.[annotationKeys.terminationTimestamp] ?? '';
    this.#parts.recorder.publish({
      definition: events.terminationGracePeriodExpiring,
      kind: stateSources.Node,
      object: node,
      message: `All pods will be deleted by ${time}`,
    });
  }

  /**
   * Taints the Node as disrupted. Undefined when the Node changed since it was read, which triggers a
   * reconcile.
   */
  async #taint(node: CachedNode, claim: NodeClaim | undefined): Promise<CachedNode | undefined> {
    const change = missingTerminationMarks(node);
    if (change === undefined) return node;
    const written = await writeObject(this.#parts.client, stateSources.Node, node, change);
    if (written === undefined) return undefined;
    this.#parts.log.info('tainted node', {
      ...claimField(claim),
      'taint.Key': disruptedTaint.key,
      'taint.Value': '',
      'taint.Effect': disruptedTaint.effect,
    });
    return written;
  }

  /**
   * Each step gets the claim as the step before stored it, so that its own guarded write does not conflict.
   */
  async #runSteps(terminating: TerminatingNode): Promise<ReconcileResult | undefined> {
    const { node, deadline } = terminating;
    let { claim } = terminating;
    for (const step of this.#parts.steps) {
      const result = await step.run({ node, claim, deadline });
      if ('wait' in result) return result.wait;
      claim = result.claim;
    }
    return this.#removeFinalizer(node, claim);
  }

  async #removeFinalizer(node: CachedNode, claim: NodeClaim | undefined): Promise<undefined> {
    const finalizers = (node.metadata.finalizers ?? []).filter((each) => each !== terminationFinalizer);
    const { client, log } = this.#parts;
    if ((await writeObject(client, stateSources.Node, node, { metadata: { finalizers } })) === undefined)
      return;
    // Only after the write: a conflict repeats the whole reconcile, which would count the Node twice.
    log.info('deleted node', claimField(claim));
    this.#count(node);
  }

  #count({ metadata }: CachedNode): void {
    const { clock, meters } = this.#parts;
    const { labels = {}, creationTimestamp, deletionTimestamp } = metadata;
    const nodepool = labels[labelKeys.nodePool] ?? '';
    const secondsSince = (time: string | undefined) =>
      (clock.now() - (timestampMs(time) ?? clock.now())) / 1000;
    meters.increment(nodeMetrics.terminated, { nodepool, zone: labels[labelKeys.zone] ?? '' });
    meters.observe(nodeMetrics.terminationDuration, { nodepool }, secondsSince(deletionTimestamp));
    meters.observe(nodeMetrics.lifetimeDuration, { nodepool }, secondsSince(creationTimestamp));
  }
}

/** Whether the Node is deleted and waits for this controller's finalizer. */
export function isTerminating({ metadata }: CachedNode): boolean {
  return (
    metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(terminationFinalizer)
  );
}

function claimField(claim: NodeClaim | undefined) {
  return claim === undefined ? {} : { NodeClaim: { name: claim.metadata.name } };
}
