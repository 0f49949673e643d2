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
import { isMachineNotFound } from '@karpenter/core/ports';
import { departure, terminationTime } from '@karpenter/core/termination';
import type { Controller, ReconcileResult } from '@karpenter/kube/runtime';
import { nodeClaims, stateSources, writeObject } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { type CachedNode, deleteIfUidMatches, type MachineIndex } from '../machines/index.ts';
import type { Departing, DepartureStep } from './departing.ts';

export interface TerminationParts
  extends Pick<ControllerContext, 'client' | 'cloud' | 'recorder' | 'meters' | 'log' | 'clock' | 'settings'> {
  readonly machines: MachineIndex;
  /** In the order in which a Node passes them. */
  readonly steps: readonly DepartureStep[];
}

/** Brings Nodes that are deleted to their end: tainted, drained, volumes detached, machine gone. */
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
    const { cloud, machines } = this.#parts;
    const node = machines.nodes.get({ name });
    if (node === undefined || !isDeparting(node) || !isManagedNode(node, cloud.nodeClasses)) return undefined;
    const claim = machines.claimOf(node);
    if (claim !== undefined && claim.metadata.deletionTimestamp === undefined) {
      await deleteIfUidMatches(this.#parts, nodeClaims, claim);
    }
    if (await this.#isDead(node)) return this.#release(node, claim);
    const deadline = terminationTime(claim);
    if (claim !== undefined && deadline !== undefined) this.#tellDeadline(node, claim);
    const tainted = await this.#taint(node, claim);
    return tainted === undefined ? undefined : this.#depart({ node: tainted, claim, deadline });
  }

  /** Nobody is left to drain a node whose machine is gone. */
  async #isDead(node: CachedNode): Promise<boolean> {
    const providerId = node.spec?.providerID ?? '';
    if (isReady(node) || providerId === '') return false;
    try {
      await this.#parts.cloud.get(providerId);
      return false;
    } catch (error) {
      if (isMachineNotFound(error)) return true;
      throw error;
    }
  }

  #tellDeadline(node: CachedNode, { metadata }: NodeClaim): void {
    const time = metadata.annotations?.[annotationKeys.terminationTimestamp] ?? '';
    this.#parts.recorder.publish({
      definition: events.terminationGracePeriodExpiring,
      kind: stateSources.Node,
      object: node,
      message: `All pods will be deleted by ${time}`,
    });
  }

  /** Undefined where the Node changed meanwhile, which brings it back. */
  async #taint(node: CachedNode, claim: NodeClaim | undefined): Promise<CachedNode | undefined> {
    const change = departure(node);
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

  async #depart(departing: Departing): Promise<ReconcileResult | undefined> {
    const { node, deadline } = departing;
    let { claim } = departing;
    for (const step of this.#parts.steps) {
      const passage = await step.pass({ node, claim, deadline });
      if ('wait' in passage) return passage.wait;
      claim = passage.claim;
    }
    return this.#release(node, claim);
  }

  async #release(node: CachedNode, claim: NodeClaim | undefined): Promise<undefined> {
    const finalizers = (node.metadata.finalizers ?? []).filter((each) => each !== terminationFinalizer);
    const { client, log } = this.#parts;
    if ((await writeObject(client, stateSources.Node, node, { metadata: { finalizers } })) === undefined)
      return;
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

export function isDeparting({ metadata }: CachedNode): boolean {
  return (
    metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(terminationFinalizer)
  );
}

function claimField(claim: NodeClaim | undefined) {
  return claim === undefined ? {} : { NodeClaim: { name: claim.metadata.name } };
}
