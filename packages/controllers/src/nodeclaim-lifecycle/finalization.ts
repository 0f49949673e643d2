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
import { deleteIfUidMatches, endMachine, type MachineIndex } from '../machines/index.ts';
import type { LaunchAttempts } from './launch-attempts.ts';

export interface FinalizationContext
  extends Pick<ControllerContext, 'client' | 'cloud' | 'recorder' | 'meters' | 'log' | 'clock'> {
  readonly machines: MachineIndex;
}

/** From a deleted claim to nothing: its Nodes are drained by others, then the machine goes, then the claim. */
export class Finalization {
  readonly #context: FinalizationContext;
  readonly #attempts: LaunchAttempts;

  constructor(context: FinalizationContext, attempts: LaunchAttempts) {
    this.#context = context;
    this.#attempts = attempts;
  }

  async finalize(deleted: NodeClaim): Promise<ReconcileResult | undefined> {
    if (!(deleted.metadata.finalizers ?? []).includes(terminationFinalizer)) return undefined;
    const claim = await this.#setDeadline(deleted);
    if (claim === undefined || (await this.#hasNodes(claim))) return undefined;
    const launched = this.#withMachine(claim);
    if (launched.status?.providerID && !(await endMachine(this.#context, launched))) {
      return { requeueAfter: lifecycleTuning.instanceTerminationPoll };
    }
    await this.#release(launched);
    return undefined;
  }

  /** A time that somebody else has set is never changed. Undefined where the claim changed meanwhile. */
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

  /** Nodes that never were registered belong to whoever made them. */
  async #hasNodes(claim: NodeClaim): Promise<boolean> {
    if (!isTrue(claim, nodeClaimConditions.registered)) return false;
    const nodes = this.#context.machines.nodesOf(claim);
    const staying = nodes.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    await Promise.all(staying.map((node) => deleteIfUidMatches(this.#context, stateSources.Node, node)));
    return nodes.length > 0;
  }

  /** A machine that was launched although its claim could not be told so must not stay behind. */
  #withMachine(claim: NodeClaim): NodeClaim {
    const attempt = this.#attempts.get(claim.metadata.uid ?? '');
    if (claim.status?.providerID || attempt?.state !== 'launched') return claim;
    return launchedClaim(claim, attempt.machine);
  }

  async #release(claim: NodeClaim): Promise<void> {
    const { client } = this.#context;
    const finalizers = (claim.metadata.finalizers ?? []).filter((each) => each !== terminationFinalizer);
    if ((await writeObject(client, nodeClaims, claim, { metadata: { finalizers } })) === undefined) return;
    this.#attempts.delete(claim.metadata.uid ?? '');
    this.#tell(claim);
  }

  #tell(claim: NodeClaim): void {
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
    const ending = conditionOf(claim, nodeClaimConditions.instanceTerminating);
    if (ending?.status === 'True') {
      const duration = secondsSince(ending.lastTransitionTime);
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
